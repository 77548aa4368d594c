import { sameWords } from '../text/plain-text.ts';
import type { FailureMoment, FixMoment, SessionMoments } from './moment.ts';
import type { PlacedWords, ReplayedInjection, ReplayPlace } from './replay-case.ts';

/** Words that were withdrawn in their own session, and those that did, each with its place and time. */
type TakenBack = { was: string; src: number; ts: string; by: string; bySrc: number; byTs: string };

/** What a session stated, as it was true at its end; and what it withdrew before. */
export type StatedMoment = {
  id: string;
  text: string;
  own: string;
  exchange: string;
  src: number;
  ts: string;
  takenBack: TakenBack[];
};

/** A session of a project, as cases are looked for in it. */
export type CaseSession = {
  project: string;
  session: string;
  first: string;
  last: string;
  moments: SessionMoments;
  stated: StatedMoment[];
  /** The folders of its project, as far as that was known when it began; absent: all. */
  folders?: readonly string[];
  /** What hooks would have said to it; absent where it was only there to be known. */
  injections?: ReplayedInjection[];
};

/** What only other stages can say of two texts. */
export type CaseRules = {
  isSameWish: (a: string, b: string) => boolean;
  /** Whether the later asks for the contrary of the earlier. */
  negates: (earlier: string, later: string) => boolean;
  /** Whether a command that failed is one that failed so before, as an earlier session knows it. */
  isSameFailure: (now: FailureMoment, before: FixMoment) => boolean;
  /** Whether a prompt asks something, and is no work to do. */
  isQuestion: (prompt: string) => boolean;
};

/** Sessions of its project that were over when this one began, the latest first. */
export function knownTo(session: CaseSession, all: readonly CaseSession[]): CaseSession[] {
  const { first, folders } = session;
  return all
    .filter(({ last, project }) => last < first && (folders?.includes(project) ?? true))
    .sort((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0));
}

export function placed(
  { project, session, moments }: CaseSession,
  { exchange, src, ts }: Pick<ReplayPlace, 'exchange' | 'src' | 'ts'>,
  text: string,
): PlacedWords {
  const around = exchange || moments.prompts.findLast((prompt) => prompt.src <= src)?.exchange;
  return { project, session, exchange: around ?? '', src, ts, text };
}

/** The number of letters of a text that show that it is quoted. */
const KNOWN_BY = 100;

/** What words are looked for by. */
export function knownBy(words: string): string {
  return sameWords(words).slice(0, KNOWN_BY).trim();
}

/** Finds the first injection before a place of the session that has words, by what they are known by. Each text is read once. */
export function injectionsBy({
  injections = [],
}: CaseSession): (src: number, wanted: string) => ReplayedInjection | undefined {
  let read: { injection: ReplayedInjection; text: string }[] | undefined;
  return (src, wanted) => {
    if (wanted.length < 8) return undefined;
    read ??= injections
      .filter(({ offer }) => !offer)
      .map((injection) => ({ injection, text: ` ${sameWords(injection.text)} ` }));
    return read.find(({ injection, text }) => injection.src <= src && text.includes(` ${wanted}`))?.injection;
  };
}

/** The first injection before a place of the session that has these words. */
export function injectedBefore(
  session: CaseSession,
  src: number,
  words: string,
): ReplayedInjection | undefined {
  return injectionsBy(session)(src, knownBy(words));
}

/** The lines of an injection around these words. */
export function excerpt({ text }: Pick<ReplayedInjection, 'text'>, words: string): string {
  const wanted = knownBy(words);
  const lines = text.split('\n');
  const at = lines.findIndex((line) => sameWords(line).includes(wanted.slice(0, 40)));
  return (at < 0 ? lines.slice(0, 4) : lines.slice(Math.max(0, at - 1), at + 2)).join('\n').trim();
}
