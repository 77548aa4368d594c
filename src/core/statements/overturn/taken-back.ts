import type { Quote } from '../../model/statement.ts';
import { identifiers } from '../../text/plain-text.ts';
import { quoteOf } from '../candidate.ts';
import type { ReadSegment } from '../read/segment-units.ts';
import { isCommit } from '../read/segments.ts';

/** Sentences that take something back; the group holds what. */
const TAKES_BACK = [
  /\b(?:replac\w+|renam\w+|swap\w*|chang\w+|(?:updat|mov)\w+[^.]{0,40} from|switch\w* from)\s+(?:the |all |it |from |every )*(.{3,60}?)\s+(?:with|by|to|into|->|→)(?![\w-])/gi,
  /\b(?:instead of|rather than|no longer|drop(?:ped|ping)?|remov\w+|delet\w+|revert\w*|get rid of|undo|undid|don'?t (?:use|need|want)|stop using|ditch|there is no)\s+(?:the |all |it |using |use |needs? |any )*(.{3,60})/gi,
];
/** What comes before these was wrong. */
const WAS_WRONG =
  /\s(?:is wrong|was wrong|is not (?:true|correct|needed|right)|isn'?t (?:true|correct|needed|right)|doesn'?t exist|does not exist|made (?:that|it) up|was (?:removed|reverted|dropped|replaced)|(?:is|are) gone)\b/gi;
const BEFORE = 60;
const LONGEST = 400;

/** Where each name was withdrawn for the last time. */
export type TakenBack = Map<string, { segment: number; by: Quote }>;

/** Names that the user, the agent or a commit message withdrew, with the last place. */
export function namesTakenBack(segments: ReadSegment[]): TakenBack {
  const found: TakenBack = new Map();
  for (const { index, own, answers, calls } of segments) {
    const note = (text: string, by: () => Quote) => {
      if (text.length < LONGEST)
        for (const name of namesIn(text)) found.set(name, { segment: index, by: by() });
    };
    for (const unit of own) note(unit.text, () => quoteOf(unit.said, 'text', unit));
    for (const unit of answers)
      if (unit.names.size > 0) note(unit.text, () => quoteOf(unit.reply, 'text', unit));
    for (const call of calls.filter(isCommit)) {
      let from = 0;
      for (const line of (call.line.target ?? '').split('\n')) {
        const span = { from, to: from + line.length };
        note(line, () => quoteOf(call, 'target', span));
        from = span.to + 1;
      }
    }
  }
  return found;
}

/** The names of a text that were withdrawn after its segment, unless it takes them back itself. */
export function takenBackIn(
  text: string,
  segment: number,
  names: TakenBack,
): { taken: Set<string>; all: number; by: Quote[] } | undefined {
  const all = identifiers(text);
  const own = namesIn(text);
  const taken = new Set(
    [...all].filter((name) => !own.has(name) && (names.get(name)?.segment ?? -1) > segment),
  );
  if (taken.size === 0) return undefined;
  return { taken, all: all.size, by: [...taken].map((name) => names.get(name)!.by) };
}

/** Names that a text withdraws. */
export function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  const add = (what: string) => {
    for (const name of identifiers(what)) found.add(name);
  };
  for (const pattern of TAKES_BACK) for (const [, what = ''] of text.matchAll(pattern)) add(what);
  for (const { index } of text.matchAll(WAS_WRONG)) add(text.slice(Math.max(0, index - BEFORE), index));
  return found;
}
