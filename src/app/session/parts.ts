import { startsExchange } from '../../core/layers/exchanges/exchanges.ts';
import { Fault } from '../../core/model/fault.ts';
import { isMessage } from '../../core/model/l1.ts';
import type { Part } from '../../core/model/version.ts';
import { type PlacedLine, readLinesOf } from '../find/read-lines-of.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { SessionState } from '../intake/session-state.ts';
import type { World } from '../world.ts';
import { messagesBetween } from './read-part.ts';
import type { SessionSource } from './session-source.ts';

/** A part that is not recorded yet. */
export type NewPart = Omit<Part, 'createdAt'>;

/** A part, and the session that it is of. */
export type SourcePart = { source: SessionSource; part: NewPart };

export type NextPart = {
  part?: NewPart;
  /** Messages of an exchange that is still going on: they wait for the next part. */
  waiting: number;
};

/** Where the next part would begin and end. It reads only what no part holds yet. */
export async function nextPart(
  world: World,
  { ref, state, parts, count }: Pick<SessionSource, 'ref' | 'state' | 'parts' | 'count'>,
  options: { force?: boolean } = {},
): Promise<NextPart> {
  const before = parts.at(-1);
  const start = before && (await endOf(world, ref, state, before));
  const [from, l1From] = start ?? [0, 0];
  const lines = await readLinesOf(world, ref, {
    file: state.l1.file,
    bytes: [l1From, state.l1.bytes],
    first: 1,
  });
  // Counted from the end: what is before need not be read.
  const l1Line = state.l1.lines - lines.length + 1;
  const open = options.force ? lines.length : endOfWhatIsDone(lines, state, before === undefined);
  const firstOpen = lines[open];
  const to = firstOpen ? firstOpen.line.src : state.offset;
  const done = { ref, agent: state.agent, bytes: [from, to] as const, lines: lines.slice(0, open) };
  const read = await messagesBetween(world, done, count);
  const first = (before?.messages[1] ?? 0) + 1;
  const waiting = lines.slice(open).filter(isMessage).length;
  if (open === 0) return { waiting };
  const { human, assistant } = state.facts.counts;
  const whole = before === undefined && firstOpen === undefined;
  const messages = whole ? human + assistant : first - 1 + read.messages;
  const part: NewPart = {
    part: (before?.part ?? 0) + 1,
    bytes: [from, to],
    l1: [l1From, firstOpen?.from ?? state.l1.bytes],
    l1Line,
    messages: [first, messages],
    // What a hook only estimated is counted here.
    tokens: (whole && state.counter === undefined ? state.tokens : undefined) ?? read.tokens,
    engine: state.engine,
  };
  return { part, waiting };
}

/** How many of the lines belong to exchanges that have ended. */
function endOfWhatIsDone(lines: PlacedLine[], state: SessionState, whole: boolean): number {
  const last = lines.findLastIndex(({ line }) => startsExchange(line));
  const waitsForTool = state.refine.open.length > 0;
  const answered = !waitsForTool && lines.at(-1)?.line.role === 'assistant';
  if (answered || lines.length === 0) return lines.length;
  // Nothing before it: the user wants what there is, unless a call and its result would be torn apart.
  if (whole && last <= 0) return waitsForTool ? 0 : lines.length;
  return Math.max(last, 0);
}

/** Places in L1 are of the engine that made them: after another one refined it anew they are looked up by `src`. */
async function endOf(
  world: World,
  ref: SessionRef,
  state: SessionState,
  part: Part,
): Promise<[byte: number, l1: number]> {
  if (part.engine === state.engine && part.l1[1] <= state.l1.bytes) return [part.bytes[1], part.l1[1]];
  const placed = await linesOfPart(world, ref, state, part);
  const last = placed.at(-1);
  const all = await readLinesOf(world, ref, { file: state.l1.file, bytes: [0, state.l1.bytes], first: 1 });
  const next = last === undefined ? all.find(({ line }) => line.src >= part.bytes[1]) : all[last.at];
  return [part.bytes[1], next?.from ?? state.l1.bytes];
}

/** The lines of L1 that a part holds. */
export async function linesOfPart(
  world: World,
  ref: SessionRef,
  state: Pick<SessionState, 'engine' | 'l1'>,
  part: NewPart,
): Promise<PlacedLine[]> {
  if (part.engine === state.engine)
    return readLinesOf(world, ref, { file: state.l1.file, bytes: part.l1, first: part.l1Line });
  const all = await readLinesOf(world, ref, { file: state.l1.file, bytes: [0, state.l1.bytes], first: 1 });
  return all.filter(({ line }) => line.src >= part.bytes[0] && line.src < part.bytes[1]);
}

/** One of the recorded parts. */
export function partNumbered(parts: Part[], number: number): Part {
  const found = parts.find(({ part }) => part === number);
  if (found) return found;
  const there = parts.length === 1 ? 'There is only part 1' : `There are parts 1 to ${parts.length}`;
  throw new Fault('not-found', `No part ${number} in this session.`, {
    hint: parts.length === 0 ? 'Nothing was compressed yet: `keepsake compress` makes part 1.' : `${there}.`,
  });
}
