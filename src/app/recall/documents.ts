import type { HitKind } from '../../core/model/search.ts';
import { parseQuery, queryMatcher } from '../../core/search/query.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { passageOf } from '../../core/search/snippet.ts';
import type { RecallScope } from '../find/scope.ts';
import type { SearchHit } from '../search/hits.ts';
import type { World } from '../world.ts';
import type { RecallPiece } from './sources.ts';

/** What people wrote or settled; concepts and entries of memory.md repeat what passages say better. */
export const RECALLED: readonly HitKind[] = ['fact', 'keepit', 'note', 'journal'];
/** Documents that are asked for, and those that are included at most. */
export const MOST_FOUND = 12;
const MOST_INCLUDED = 4;
/** A document with fewer of the topic's words, by how rare they are, is about something else. */
export const LEAST_SCORE = 0.5;
/** Of the budget: the words that were said themselves are worth more. */
const SHARE = 0.1;
const UNITS = 3;
const LONGEST = 500;

type DocumentsRequest = {
  query: string;
  budget: number;
  /** Texts that are included as they are, and those that some are part of. */
  shown: ReadonlySet<string>;
  texts: string[];
};

/** Facts, concepts, notes and the like that fit a topic, best first; nothing that is included anyway. */
export function documentPieces(
  world: World,
  scope: RecallScope,
  hits: SearchHit[],
  { query, budget, shown: known, texts }: DocumentsRequest,
): RecallPiece[] {
  const matches = queryMatcher(parseQuery(query));
  const pieces: RecallPiece[] = [];
  let left = budget * SHARE * UNITS;
  for (const hit of hits) {
    // A rule with its reason is still that rule.
    const isShown = [...known].some((text) => hit.text.trimStart().startsWith(text));
    if (hit.score < LEAST_SCORE || isShown) continue;
    // Below what a concept is about are the words that it is found by.
    const about =
      hit.kind === 'concept' ? hit.text.slice(0, hit.text.indexOf('\n') + 1 || undefined) : hit.text;
    const text = passageOf(about.trim(), matches, LONGEST);
    const isKnown = texts.some((words) => words.includes(text)) || pieces.some((it) => it.text === text);
    if (pieces.length >= MOST_INCLUDED || text.length > left || isKnown) continue;
    left -= text.length;
    const by = hit.by === undefined ? '' : `by ${inLine(hit.by)}`;
    const source = [scope.labels.get(hit.project) ?? '', by, ...placeOf(world, hit)];
    pieces.push({
      kind: 'topic',
      section: 'Matching passages',
      source: source.filter((part) => part !== '').join(', '),
      text,
      project: hit.project,
      sessionId: hit.sessionId,
      ts: hit.ts,
      ...(hit.by === undefined ? {} : { by: hit.by }),
    });
  }
  return pieces;
}

function placeOf(world: World, { kind, place, title, role, by, ts, sessionId }: SearchHit): string[] {
  const when = ts.length > 10 ? world.clock.local(ts) : ts;
  const file = place.file.replace(/^memory\//, '');
  const session = sessionId === '' ? '' : `session ${sessionId.slice(0, 8)}`;
  switch (kind) {
    case 'fact':
      return [inLine(title), by === undefined ? saidBy(role) : '', session, when];
    case 'concept':
      return [`concept "${inLine(title)}"`, when];
    case 'keepit':
      return [inLine(title), role, session, when];
    case 'memory':
      return [file, session, when];
    default:
      return [file, inLine(title), when];
  }
}

function saidBy(role: string): string {
  return role === 'user' ? 'said by the user' : 'from the assistant';
}
