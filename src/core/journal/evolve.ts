import { coverage, sharedBy, subjectOf } from './alike.ts';
import { type Item, Likes } from './items.ts';

/** What a sentence says to be over, by its words. */
const OVER: RegExp[] = [
  /\b(?:instead of|rather than|in place of|no longer|in favou?r of|stop(?:ped)? using|got rid of|get rid of)\s+([^.;,()]{3,90})/i,
  /\b(?:replac|switch|renam|migrat|convert|chang|mov)(?:e|ed|es|ing|ped)?\b\s+(?:from\s+)?([^.;,()]{3,60}?)\s+(?:with|to|into|by|onto)\b/i,
  /\b(?:revert|remov|drop|delet|undo|undid|abandon)(?:e|ed|ing|ped|t)?\b\s+([^.;,()]{3,90})/i,
];
/** Of what is over, so much stands in what was said before. */
const COVERED = 0.67;
const SHARED = 3;
/** Longer chains say nothing more. */
const MOST_STEPS = 4;

/**
 * Which decisions and changes took the place of earlier ones: those whose words say so, and those that ask for the contrary.
 * Only what really is about the same is linked, for a change that never was is worse than one that is not told.
 */
export function evolve(items: Item[], isAgainst: (earlier: string, later: string) => boolean): void {
  const known = new Likes<Item>();
  for (const later of items) {
    if (later.kind !== 'decision' && later.kind !== 'change' && later.kind !== 'done') continue;
    const over = overIn(later.text);
    for (const earlier of known.near(later.subject)) {
      if (earlier.after || isSameTalk(earlier, later) || sharedBy(earlier.subject, later.subject) < SHARED)
        continue;
      const ended =
        over.some((it) => it.size >= 2 && coverage(it, earlier.subject) >= COVERED) && !saysSo(earlier, over);
      const contrary =
        earlier.kind === 'decision' && later.kind === 'decision' && isAgainst(earlier.text, later.text);
      if (!ended && !contrary) continue;
      earlier.after = later;
      later.before = [...earlier.before, earlier, ...later.before].slice(-MOST_STEPS);
    }
    if (later.kind !== 'done') known.add(later.subject, later);
  }
}

/** In one exchange a change is told in several sentences: that is no history. */
function isSameTalk(a: Item, b: Item): boolean {
  const [x, y] = [a.sources.at(-1), b.sources[0]];
  return x?.session === y?.session && x?.exchange === y?.exchange;
}

function overIn(text: string): Set<string>[] {
  return OVER.flatMap((pattern) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? [] : [subjectOf(found)];
  });
}

/** Both say that the same is over: the later one repeats it. */
function saysSo(earlier: Item, over: Set<string>[]): boolean {
  return overIn(earlier.text).some((one) => over.some((other) => coverage(other, one) >= COVERED));
}

/** Questions that nobody answered yet: what came later does not speak of them, and their commands did not pass since. */
export function stillOpen(items: Item[], passed: Map<string, string>): Item[] {
  const answers = new Likes<Item>();
  for (const item of items) if (item.kind !== 'open') answers.add(item.subject, item);
  return items.filter((item) => {
    if (item.kind !== 'open') return false;
    const since = item.sources.at(-1)?.ts ?? '';
    const command = /^`([^`]+)` still failed in the end/.exec(item.text)?.[1];
    if (command !== undefined && (passed.get(command) ?? '') > since) return false;
    return !answers
      .near(item.subject)
      .some(
        (it) =>
          it.at > item.at &&
          it.sources.at(-1)?.session !== item.sources.at(-1)?.session &&
          coverage(item.subject, it.subject) >= 0.6,
      );
  });
}
