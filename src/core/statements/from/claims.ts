import type { Candidate } from '../candidate.ts';
import type { AgentUnit, ReadSegment } from '../read/segment-units.ts';
import { AGENT_WEIGHTS, weighed } from '../weights.ts';
import { grow } from './grow.ts';

const LEAST = -2.6;
const MOST = 12;
const LONGEST = 240;
const SHORTEST = 40;
/** A step that is still to be done, in the form that plans have. */
const STEP =
  /(?:^|[-–—:;]\s|\d\.\s)(?:add|update|create|implement|modify|change|remove|write|move|refactor|introduce|extend|define|use|replace|make|rename|set)\b/gi;
const FEWEST_STEPS = 2;

/** What the agent says on its own, where no words of the user have it as their outcome. */
export function fromClaims(segment: ReadSegment, used: Set<number>): Candidate[] {
  const units = segment.reaction === 'unreadable' ? [] : segment.answers;
  const scores = units.map(({ features }) => weighed(features, AGENT_WEIGHTS));
  const order = units.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const taken = new Set<number>();
  const found: Candidate[] = [];
  for (const at of order) {
    const unit = units[at]!;
    if (scores[at]! < LEAST || taken.size > MOST) break;
    if (taken.has(at) || used.has(at) || !isClaim(unit)) continue;
    const { first, last, ...words } = grow(units, at, { limit: LONGEST });
    for (let place = first; place <= last; place++) taken.add(place);
    // Steps of a plan: nothing is decided or done by them.
    if ((words.text.match(STEP)?.length ?? 0) >= FEWEST_STEPS) continue;
    found.push({
      foundBy: 'claim',
      author: 'assistant',
      kind: 'decision',
      segment: segment.index,
      features: unit.features,
      outcomeFeatures: new Set(),
      score: scores[at]!,
      label: '',
      words,
      overturned: [],
    });
  }
  return found;
}

function isClaim({ features, text }: AgentUnit): boolean {
  return text.length >= SHORTEST && !['narrates', 'asks', 'colon', 'task'].some((name) => features.has(name));
}
