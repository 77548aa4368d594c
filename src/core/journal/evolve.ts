import { coverage, sharedBy, subjectOf } from './alike.ts';
import { type JournalItem, Likes } from './items.ts';

/** What a sentence says to be over, by its words. */
const OVER: RegExp[] = [
  /\b(?:instead of|rather than|in place of|no longer|stop(?:ped)? using|got rid of|get rid of)\s+([^.;,()]{3,70})/i,
  /\b(?:replac|switch|renam|migrat|convert|chang|mov)(?:e|ed|es|ing|ped)?\b\s+(?:from\s+)?([^.;,()]{3,60}?)\s+(?:with|to|into|by|onto|in favou?r of)\b/i,
  /\b(?:revert|undo|undid|drop|abandon)(?:ed|ing|ped|s)?\b\s+([^.;,()]{3,60})/i,
];
/** What a sentence says to be deleted. */
const GONE =
  /\b(?:remov|delet|dropp|revert)(?:e|ed|es|ing)\b\s+([^.;,]{3,80}?)(?:\s+(?:from|in)\b|\s[-–—]\s|[.;,(]|$)/i;
/** The share of a finished item that must be in what was said before. */
const COVERED = 0.75;
const SHARED = 3;
/** A term in more of all items than this says nothing about what an item is about. */
const COMMON = 0.04;
/** Longer chains say nothing more. */
const MOST_STEPS = 4;

type Against = (earlier: string, later: string) => boolean;

/**
 * Decisions and changes that replaced earlier ones: those whose words say so, and those that ask for the opposite. Only items
 * that really have the same subject are linked, because a wrong link is worse than a missing one.
 */
export function evolve(items: JournalItem[], isAgainst: Against): void {
  const known = new Likes<JournalItem>();
  const rare = rareTerms(items);
  for (const later of items) {
    if (!LASTING.has(later.kind)) continue;
    const over = overIn(later.text);
    for (const earlier of known.near(later.subject)) {
      if (earlier.after || isSameTalk(earlier, later) || !isOneSubject(earlier, later, rare)) continue;
      if (!isEnded(earlier, later, over) && !isContrary(earlier, later, isAgainst)) continue;
      earlier.after = later;
      later.before = [...earlier.before, earlier, ...later.before].slice(-MOST_STEPS);
    }
    known.add(later.subject, later);
  }
}

/** Steps that carried over are shown with what replaced them, or not at all. Returns the rest. */
export function linkSteps(items: JournalItem[]): JournalItem[] {
  const known = new Likes<JournalItem>();
  for (const item of items) if (item.stepOf === undefined) known.add(item.subject, item);
  return items.filter((step) => {
    if (step.stepOf === undefined || step.after) return true;
    const subject = subjectOf(step.stepOf);
    const later = known
      .near(subject)
      .find((it) => LASTING.has(it.kind) && coverage(subject, it.subject) >= COVERED);
    if (!later) return false;
    const last = later.after ?? later;
    step.after = last;
    last.before = [step, ...last.before].slice(-MOST_STEPS);
    return true;
  });
}

const LASTING: ReadonlySet<string> = new Set(['rule', 'decision', 'change']);
const STATED: ReadonlySet<string> = new Set(['rule', 'decision']);

function isEnded(earlier: JournalItem, later: JournalItem, over: Set<string>[]): boolean {
  if (alreadyEnded(earlier, over)) return false;
  return over.some(
    (it) =>
      it.size >= 2 &&
      it.size <= 7 &&
      coverage(it, earlier.subject) >= COVERED &&
      it.size < later.subject.size,
  );
}

function isContrary(earlier: JournalItem, later: JournalItem, isAgainst: Against): boolean {
  return STATED.has(earlier.kind) && STATED.has(later.kind) && isAgainst(earlier.text, later.text);
}

/** Several words in common, and one of them that few others have. */
function isOneSubject(a: JournalItem, b: JournalItem, rare: (term: string) => boolean): boolean {
  if (sharedBy(a.subject, b.subject) < SHARED) return false;
  for (const term of a.subject) if (b.subject.has(term) && rare(term)) return true;
  return false;
}

function rareTerms(items: JournalItem[]): (term: string) => boolean {
  const counts = new Map<string, number>();
  for (const { subject } of items) for (const term of subject) counts.set(term, (counts.get(term) ?? 0) + 1);
  const most = Math.max(4, items.length * COMMON);
  return (term) => (counts.get(term) ?? 0) <= most;
}

/** In one conversation a change is described in several sentences, often before it is made: that is no history. */
function isSameTalk(a: JournalItem, b: JournalItem): boolean {
  return a.sources.at(-1)?.session === b.sources[0]?.session;
}

function overIn(text: string): Set<string>[] {
  return OVER.flatMap((pattern) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? [] : [subjectOf(found)];
  });
}

/** Both say that the same is over: the later one repeats it. */
function alreadyEnded(earlier: JournalItem, over: Set<string>[]): boolean {
  const gone = GONE.exec(earlier.text)?.[1];
  const ended = [...overIn(earlier.text), ...(gone === undefined ? [] : [subjectOf(gone)])];
  return ended.some((one) => over.some((other) => coverage(other, one) >= COVERED));
}

/** An offer that nobody took up is nothing to do. */
const OFFER =
  /\b(?:would you like|do you want|want me to|shall i|should i|let me know|ready to (?:proceed|continue|move))\b/i;
const REMAINS =
  /\b(?:not yet|to-?do\b(?! list)|remain(?:s|ing)|still (?:needs?|to|missing|open|fails?|failed|pending)|pending(?! async)|unresolved|blocked|follow-?up (?:prs?|issues?|work|needed|task)|left (?:to|open|undone)|waits? for|next steps? (?:is|are|would)|whenever you)\b/i;
const TELLS = /^(?:i (?:sent|updated|added|created|fixed)|i'll|i will|i've|streamlined)\b/i;
/** Conversations after which what one left open is hardly still open, if nobody came back to it. */
const RECENT = 8;
const ANSWERED = 0.6;

/**
 * Questions that nobody answered yet: what came later does not speak of them, nor do commits, their commands did not pass since,
 * and not many conversations went by.
 */
export function stillOpen(
  items: JournalItem[],
  { passed, recent, commits }: { passed: Map<string, string>; recent: string[]; commits: Commit[] },
): JournalItem[] {
  const answers = new Likes<JournalItem>();
  for (const item of items) if (item.kind !== 'open') answers.add(item.subject, item);
  const newest = new Set(recent.slice(0, RECENT));
  const committed = commits.map(({ ts, subject }) => ({ ts, subject: subjectOf(subject) }));
  return items.filter((item) => {
    if (item.kind !== 'open' || !isUndone(item)) return false;
    const last = item.sources.at(-1);
    if (last && recent.includes(last.session) && !newest.has(last.session)) return false;
    const command = /^`([^`]+)` still failed in the end/.exec(item.text)?.[1];
    if (command !== undefined && (passed.get(command) ?? '') > (last?.ts ?? '')) return false;
    const isCommitted = committed.some(
      ({ ts, subject }) =>
        ts > (last?.ts ?? '') && subject.size >= 3 && coverage(subject, item.subject) >= ANSWERED,
    );
    const isAnswer = (it: JournalItem) =>
      it.at > item.at &&
      it.sources.at(-1)?.session !== last?.session &&
      coverage(item.subject, it.subject) >= ANSWERED;
    return !isCommitted && !answers.near(item.subject).some(isAnswer);
  });
}

/** A question to the user, or something that is said to be left; what a person or an agent wrote counts as it is. */
function isUndone({ text, sources }: JournalItem): boolean {
  if (!sources.some(({ by }) => by === 'assistant')) return true;
  if (REMAINS.test(text)) return !TELLS.test(text);
  return /[?？]/.test(text.replace(/`[^`]*`/g, '')) && !OFFER.test(text);
}

type Commit = { ts: string; subject: string };

/** Items without what a later commit reverted. */
export function withoutReverted(items: JournalItem[], commits: Commit[]): JournalItem[] {
  const reverted = commits.flatMap(({ ts, subject }) => {
    const what = /^revert:? "?(.+?)"?$/i.exec(subject.trim())?.[1];
    return what === undefined ? [] : [{ ts, subject: subjectOf(what) }];
  });
  if (reverted.length === 0) return items;
  return items.filter(
    (item) =>
      !reverted.some(
        ({ ts, subject }) =>
          subject.size >= 2 &&
          ts >= (item.sources.at(-1)?.ts ?? '') &&
          coverage(subject, item.subject) >= REVERTED,
      ),
  );
}

const REVERTED = 0.9;
