import { commandSegments, subcommandOf } from '../../core/actions/command-segments.ts';
import { errorKernel, isVariant } from '../../core/actions/error-lessons.ts';
import { promptKind } from '../../core/inject/prompt-kind.ts';
import { isSameWish, negates, type Wish, wishOf } from '../../core/layers/facts/polarity.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import type { CaseRules, CaseSession, StatedMoment } from '../../core/replay/case-session.ts';
import type { OverturnedById } from '../../core/replay/contradicted.ts';
import { findCases } from '../../core/replay/find-cases.ts';
import type { ReplayCase } from '../../core/replay/replay-case.ts';
import { overturnedLater } from '../../core/statements/overturn/overturned-later.ts';
import { readL1 } from '../find/read-l1.ts';
import { currentStatements } from '../layers/statements.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { withNotes } from './noted-errors.ts';
import type { TimedSession } from './timeline.ts';

/** The cases of one project, with what its sessions stated and withdrew. */
export async function casesOf(
  world: World,
  begun: readonly TimedSession[],
  sessions: readonly CaseSession[],
): Promise<ReplayCase[]> {
  const { whole, takenBack } = await withStatements(world, begun, sessions);
  const own = new Set(sessions.map(({ project, session }) => `${project}/${session}`));
  const known = begun.filter(({ projectId, record }) => own.has(`${projectId}/${record.sessionId}`));
  return withNotes(world, known, findCases(whole, takenBack, caseRules()));
}

/** The sessions with their statements, and what later ones withdrew. */
export async function withStatements(
  world: World,
  begun: readonly TimedSession[],
  sessions: readonly CaseSession[],
): Promise<{ whole: CaseSession[]; takenBack: OverturnedById }> {
  const records = new Map(begun.map((it) => [`${it.projectId}/${it.record.sessionId}`, it]));
  const stated = [];
  const whole: CaseSession[] = [];
  for (const session of sessions) {
    const { projectId, record } = records.get(`${session.project}/${session.session}`)!;
    const statements = await currentStatements(world, projectId, record);
    stated.push({ sessionId: record.sessionId, last: record.lastTimestamp, statements });
    const isTakenBack = statements.some(({ overturned }) => overturned.length > 0);
    const times = isTakenBack ? await timesBySource(world, { projectId, record }) : new Map<number, string>();
    whole.push({ ...session, stated: statements.flatMap((it) => statedMoment(it, times)) });
  }
  return { whole, takenBack: overturnedLater(stated, caseRules().negates) };
}

/** When each message of a session was written, by its place. */
async function timesBySource(
  world: World,
  { projectId, record }: TimedSession,
): Promise<Map<number, string>> {
  const lines = (await ifReadable(readL1(world, { projectId, l1: record.l1 }), world.report)) ?? [];
  return new Map(lines.map(({ src, ts }) => [src, ts]));
}

/** The agent gives in to what the user said. */
const CONCEDES =
  /^\W*(?:you'?re (?:absolutely |completely |totally |quite )?right|good (?:catch|point)|great (?:catch|point)|excellent (?:catch|point)|i was wrong|my mistake|i apologize|sorry)/i;

function statedMoment(
  { id, text, quotes, ts, author, overturned }: SessionStatement,
  times: ReadonlyMap<number, string>,
): StatedMoment[] {
  const own = quotes.filter(({ by, field }) => by === 'user' && field === 'text');
  const [first] = own.length > 0 ? own : quotes;
  if (!first) return [];
  const words = author === 'user' ? own.map((it) => it.text).join(' ') : '';
  const takenBack = overturned.flatMap(({ was, by: [by] }) =>
    by === undefined || !(by.by === 'user' || CONCEDES.test(by.text))
      ? []
      : was.map((it) => ({
          was: it.text,
          src: it.src,
          ts: times.get(it.src) ?? ts,
          by: by.text,
          bySrc: by.src,
          byTs: times.get(by.src) ?? ts,
        })),
  );
  return [{ id, text, own: words, exchange: '', src: first.src, ts, takenBack }];
}

/** As facts, verdicts and hooks judge two texts. */
export function caseRules(): CaseRules {
  const known = new Map<string, Wish>();
  const wish = (text: string) => {
    const made = known.get(text) ?? wishOf(text);
    known.set(text, made);
    return made;
  };
  return {
    isSameWish: (a, b) => isSameWish(wish(a), wish(b)),
    negates: (earlier, later) => isContrary(wish(earlier), wish(later)),
    isSameFailure: (now, before) => {
      if (before.form !== '') return now.form === before.form;
      const kernel = errorKernel(before.error);
      const isSame = now.error === before.error || (kernel !== '' && errorKernel(now.error) === kernel);
      if (!isSame || !SAYS_WHY.test(before.error)) return false;
      // What passed does the same in another way: with the same programs, in the same order.
      return (
        programsOf(before.worked) === programsOf(before.command) &&
        programsOf(now.command) === programsOf(before.command) &&
        (now.command === before.command || isVariant(before.command, now.command))
      );
    },
    isQuestion: (prompt) => promptKind(prompt) !== 'do',
  };
}

const SAYS_WHY =
  /error|fail|cannot|can't|not found|undefined|exception|unknown|invalid|denied|missing|refused/i;
/** Of all that two wishes are about, what both have. */
const ONE_SUBJECT = 0.5;

/** The contrary on the same subject: a long sentence that shares a few words with another is about something else. */
function isContrary(earlier: Wish, later: Wish): boolean {
  if (!negates(earlier, later)) return false;
  const [a, b] = [earlier, later].map(({ wants, shuns }) => new Set([...wants, ...shuns])) as [
    Set<string>,
    Set<string>,
  ];
  const both = [...a].filter((term) => b.has(term)).length;
  return both >= 2 && both / new Set([...a, ...b]).size >= ONE_SUBJECT;
}

function programsOf(command: string): string {
  return commandSegments(command)
    .map((segment) => `${segment.program} ${subcommandOf(segment)}`)
    .join(' | ');
}
