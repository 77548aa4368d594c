import { Fault } from '../../core/model/fault.ts';
import { startsExchange } from '../../core/model/l1.ts';
import type { Part } from '../../core/model/version.ts';
import { type PlacedLine, readLinesOf } from '../find/read-lines-of.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { SessionState } from '../intake/session-state.ts';
import type { World } from '../world.ts';
import { changedLately } from './changed-lately.ts';
import { messagesBetween } from './read-part.ts';
import type { SessionSource } from './session-source.ts';
import { isRendered, unansweredCalls, unansweredLines } from './unanswered-calls.ts';

/** A part that is not recorded yet. */
export type NewPart = Omit<Part, 'createdAt'>;

/** What the next part leaves for the one after it. */
export type Waiting = { messages: number; tokens: number };
/** A part, and the session that it is of. */
export type SourcePart = { source: SessionSource; part: NewPart };

export type NextPart = {
  part?: NewPart;
  /** Set while the last exchange is unfinished and the agent may still write to it. */
  waiting?: Waiting;
};

/** What is read to find a part. */
export type PartSource = Pick<SessionSource, 'ref' | 'record' | 'parts' | 'state' | 'count'>;

/** Where the next part would begin and end. It reads only what no part contains yet. `force`: nothing waits. */
export async function nextPart(
  world: World,
  source: PartSource,
  options: { force?: boolean } = {},
): Promise<NextPart> {
  const { ref, state, parts, count } = source;
  const { agent, l1, offset } = state;
  const before = parts.at(-1);
  const [from, l1From] = before ? await endOf(world, ref, state, before) : [0, 0];
  const all = await readLinesOf(world, ref, { file: l1.file, bytes: [l1From, l1.bytes], first: 1 });
  // Counted from the end: what comes before need not be read.
  const l1Line = l1.lines - all.length + 1;
  const isAlive = !options.force && isUnfinished(all, state) && (await isWritten(world, source));
  const open = isAlive ? Math.max(0, lastAsk(all)) : all.length;
  const [done, rest] = [all.slice(0, open), all.slice(open)];
  const to = isAlive ? Math.max(from, rest[0]?.line.src ?? from) : offset;
  const unanswered = isAlive ? [] : unansweredCalls(state, parts);
  const calls = await unansweredLines(world, ref, state, unanswered);
  const lines = [...done, ...calls].filter((line) => !isRendered(parts, line));
  const left = isAlive
    ? await messagesBetween(
        world,
        { ref, agent, bytes: [to, offset], lines: [...rest, ...(await openCalls(world, source))] },
        count,
      )
    : undefined;
  // A forced part may hold all of an exchange that is still unfinished.
  const waiting = left?.messages ? left : undefined;
  if (lines.length === 0) return waiting ? { waiting } : {};
  const read = await messagesBetween(world, { ref, agent, bytes: [from, to], lines: lines }, count);
  const first = (before ? await messagesUpTo(world, source, before) : 0) + 1;
  const { human, assistant } = state.facts.counts;
  const whole = before === undefined && !isAlive;
  const upTo = first - 1 + read.messages;
  // A message without a line in L1 counts, too: it belongs to the part that ends after it.
  const last = whole ? human + assistant : isAlive ? upTo : Math.max(upTo, human + assistant);
  const part: NewPart = {
    part: (before?.part ?? 0) + 1,
    bytes: [from, to],
    l1: [l1From, rest[0]?.from ?? l1.bytes],
    l1Line,
    messages: [first, last],
    // What a hook only estimated is counted here.
    tokens: (whole && state.counter === undefined ? state.tokens : undefined) ?? read.tokens,
    engine: state.engine,
    ...(calls.length === 0 ? {} : { unanswered }),
  };
  return waiting ? { part, waiting } : { part };
}

function isWritten(world: World, { record, state }: PartSource): Promise<boolean> {
  return changedLately(world, record, state.facts.last);
}

/** Whether the agent owes an answer: to what was said last, or a call its result. */
function isUnfinished(lines: PlacedLine[], { refine }: SessionState): boolean {
  if (refine.open.length > 0) return true;
  const last = lines.findLast(({ line }) => !line.aside && line.name !== 'compaction')?.line;
  return last !== undefined && last.role !== 'assistant' && last.role !== 'system';
}

function lastAsk(lines: PlacedLine[]): number {
  return lines.findLastIndex(({ line }) => startsExchange(line));
}

async function openCalls(world: World, { ref, state, parts }: PartSource): Promise<PlacedLine[]> {
  return unansweredLines(world, ref, state, unansweredCalls(state, parts));
}

/** The number of a part's last message; another engine may have counted other messages. */
async function messagesUpTo(world: World, source: PartSource, part: Part): Promise<number> {
  const { ref, state, count } = source;
  if (part.engine === state.engine) return part.messages[1];
  const bytes = [0, part.bytes[1]] as const;
  const lines = await linesUpTo(world, ref, state, part.bytes[1]);
  return (await messagesBetween(world, { ref, agent: state.agent, bytes, lines }, count)).messages;
}

/** Positions in L1 belong to the engine that made them: after another engine refined it, they are looked up by `src`. */
async function endOf(
  world: World,
  ref: SessionRef,
  state: Pick<SessionState, 'engine' | 'l1'>,
  { engine, bytes, l1 }: Part,
): Promise<[byte: number, l1: number]> {
  if (engine === state.engine && l1[1] <= state.l1.bytes) return [bytes[1], l1[1]];
  const all = await readLinesOf(world, ref, { file: state.l1.file, bytes: [0, state.l1.bytes], first: 1 });
  return [bytes[1], all.find(({ line }) => line.src >= bytes[1])?.from ?? state.l1.bytes];
}

/** A call is refined where its result is: one that was answered later belongs to the later part. */
async function linesUpTo(
  world: World,
  ref: SessionRef,
  state: Pick<SessionState, 'l1'>,
  byte: number,
): Promise<PlacedLine[]> {
  const all = await readLinesOf(world, ref, { file: state.l1.file, bytes: [0, state.l1.bytes], first: 1 });
  const end = all.findIndex(({ line }) => line.src >= byte);
  return end === -1 ? all : all.slice(0, end);
}

/** The lines of L1 that a part holds, and the calls that nothing answered. */
export async function linesOfPart(
  world: World,
  { ref, state, parts }: Pick<SessionSource, 'ref' | 'state' | 'parts'>,
  part: NewPart,
): Promise<PlacedLine[]> {
  const { bytes, l1, l1Line, unanswered = [] } = part;
  const lines =
    part.engine === state.engine
      ? await readLinesOf(world, ref, { file: state.l1.file, bytes: l1, first: l1Line })
      : (await linesUpTo(world, ref, state, bytes[1])).slice(
          (await linesUpTo(world, ref, state, bytes[0])).length,
        );
  const earlier = parts.filter((it) => it.part < part.part);
  const own = lines.filter((line) => !isRendered(earlier, line));
  return [...own, ...(await unansweredLines(world, ref, state, unanswered))];
}

/** One of the recorded parts. */
export function partNumbered(parts: Part[], number: number): Part {
  const found = parts.find(({ part }) => part === number);
  if (found) return found;
  const there = parts.length === 1 ? 'There is only part 1' : `There are parts 1 to ${parts.length}`;
  throw new Fault('not-found', `No part ${number} in this session.`, {
    hint:
      parts.length === 0
        ? 'The session is not compressed yet. `keepsake compress` makes part 1.'
        : `${there}.`,
  });
}
