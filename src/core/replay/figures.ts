import { type CaseSession, knownTo } from './case-session.ts';
import { type InjectionKind, injectionKind } from './off-point.ts';
import { BAD_CASES, type CaseKind, GOOD_CASES, type ReplayCase } from './replay-case.ts';
import { namedFiles } from './searched-files.ts';
import type { TouchedLines } from './touched-lines.ts';

/** How often something came again, and how often memory would have said it before. */
export type Came = { found: number; said: number };

export type ReplayFigures = {
  sessions: number;
  prompts: number;
  /** Texts that hooks would have added, and their tokens. */
  starts: number;
  /** Lines that starts quote, and those that their session touched. */
  startLines: TouchedLines;
  passages: number;
  offers: number;
  tokens: number;
  /** Texts that are more than an offer, and those of which a file was opened or a name was written later. */
  texts: number;
  used: number;
  instructions: Came;
  errors: Came;
  decisions: Came;
  /** Returned errors that notes before a command would have said, too: those are off unless they are switched on. */
  noted: number;
  /** Files that were searched for although an earlier session had found them. */
  searched: Came;
  /** Files that an earlier session had changed, too: those named by the start and the first four prompts, and by a list of the files of the session before. */
  files: { changedAgain: number; named: number; ofLast: number };
  /** What the user contradicted later. */
  contradicted: number;
  /** Texts of which hardly a word came up afterwards. */
  offPoint: { starts: number; passages: number; offers: number };
};

export function noFigures(): ReplayFigures {
  const none = () => ({ found: 0, said: 0 });
  return {
    sessions: 0,
    prompts: 0,
    starts: 0,
    startLines: { shown: 0, touched: 0 },
    passages: 0,
    offers: 0,
    tokens: 0,
    texts: 0,
    used: 0,
    instructions: none(),
    errors: none(),
    decisions: none(),
    noted: 0,
    searched: none(),
    files: { changedAgain: 0, named: 0, ofLast: 0 },
    contradicted: 0,
    offPoint: { starts: 0, passages: 0, offers: 0 },
  };
}

const MANY = { start: 'starts', passage: 'passages', offer: 'offers' } as const satisfies Record<
  InjectionKind,
  string
>;

/** The figures of one project: of the sessions that were asked for, and the cases that were found. */
export function figuresOf(sessions: readonly CaseSession[], cases: readonly ReplayCase[]): ReplayFigures {
  const figures = noFigures();
  for (const session of sessions) {
    if (!session.injections) continue;
    const { injections } = session;
    const files = namedFiles(session, knownTo(session, sessions));
    figures.sessions++;
    figures.prompts += session.moments.prompts.length;
    for (const injection of injections) {
      const kind = injectionKind(injection);
      if (kind) figures[MANY[kind]]++;
      figures.startLines.shown += injection.startLines?.shown ?? 0;
      figures.startLines.touched += injection.startLines?.touched ?? 0;
    }
    figures.tokens += injections.reduce((sum, { tokens }) => sum + tokens, 0);
    figures.texts += injections.filter(({ offer }) => !offer).length;
    figures.used += injections.filter(({ offer, used }) => !offer && used.length > 0).length;
    figures.files.changedAgain += files.changedAgain.length;
    figures.files.named += files.named.length;
    figures.files.ofLast += files.ofLast.length;
  }
  const of = (kind: CaseKind) => cases.filter((it) => it.kind === kind);
  const came = (kind: CaseKind): Came => ({
    found: of(kind).length,
    said: of(kind).filter(({ said }) => said).length,
  });
  return {
    ...figures,
    instructions: came('instruction'),
    errors: came('error'),
    decisions: came('decision'),
    noted: of('error').filter(({ noted }) => noted !== undefined).length,
    searched: came('file'),
    contradicted: of('contradicted').length,
    offPoint: offPointBy(of('off-point')),
  };
}

function offPointBy(cases: readonly ReplayCase[]): ReplayFigures['offPoint'] {
  const starts = cases.filter(({ said }) => said?.on === 'start').length;
  const offers = cases.filter(({ said }) => said?.offer).length;
  return { starts, passages: cases.length - starts - offers, offers };
}

/** All that was off the point. */
export function offPointSum({ offPoint: { starts, passages, offers } }: ReplayFigures): number {
  return starts + passages + offers;
}

export function sumFigures(all: readonly ReplayFigures[]): ReplayFigures {
  return all.reduce((sum, one) => added(sum, one), noFigures());
}

function added<T extends object>(a: T, b: T): T {
  const entries = Object.entries(a).map(([key, value]) => {
    const other = b[key as keyof T];
    return [key, typeof value === 'number' ? value + Number(other) : added(value as object, other as object)];
  });
  return Object.fromEntries(entries) as T;
}

/** Cases of one kind among the best: a report of one kind alone shows little. */
const OF_A_KIND = 4;

/** The best first: what would have been said, then what it would have spared. */
export function bestCases(cases: readonly ReplayCase[], most: number): ReplayCase[] {
  const good = cases.filter(({ kind }) => (GOOD_CASES as readonly string[]).includes(kind));
  const sorted = [...good].sort(
    (a, b) => Number(b.said !== undefined) - Number(a.said !== undefined) || inOrder(a, b),
  );
  const many = new Map<string, number>();
  // One place that came again and again is one of the best once.
  const isFew = ({ kind, before }: ReplayCase) =>
    [`${before.session} ${before.src}`, kind].every((key, at) => {
      many.set(key, (many.get(key) ?? 0) + 1);
      return many.get(key)! <= (at === 0 ? 1 : OF_A_KIND);
    });
  const first = sorted.filter(isFew);
  const rest = sorted.filter((it) => !first.includes(it));
  return [...first, ...rest].slice(0, most);
}

/** What came again and memory would not have said, what it would have spared first. */
export function unsaidCases(cases: readonly ReplayCase[], most: number): ReplayCase[] {
  return bestCases(
    cases.filter(({ said }) => said === undefined),
    most,
  );
}

/** The worst first: what was wrong, then what was of no use. */
export function worstCases(cases: readonly ReplayCase[], most: number): ReplayCase[] {
  return BAD_CASES.flatMap((kind) => cases.filter((it) => it.kind === kind).sort(inOrder)).slice(0, most);
}

function inOrder(a: ReplayCase, b: ReplayCase): number {
  return (
    b.value - a.value || (a.again.ts < b.again.ts ? 1 : a.again.ts > b.again.ts ? -1 : a.id < b.id ? -1 : 1)
  );
}
