import { Fault } from '../../core/model/fault.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fields, flag, list, oneOf, sessionId, text } from '../../core/model/shape.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { World } from '../world.ts';
import { remotesOf } from './remote-record.ts';
import { type RepoState, streamOfKey } from './repo-state.ts';
import type { SegmentLine } from './segment-lines.ts';

/** What was said last of a session, on any of this user's machines. `at` is later than all that was known when it was said. */
type PrivateMark = {
  session: string;
  at: string;
  isPrivate: boolean /** On this machine. */;
  isHere: boolean;
  /** This machine sent some of it, once. */
  isSent?: boolean | undefined;
};

/** Sessions that never leave this user's machines, with all of their streams, and since when. */
type Privacy = { sessions: Set<string>; marks: Map<string, PrivateMark> };

const FILE = 'private.json';
const MARK = fields({ session: sessionId, at: text, isPrivate: flag, isHere: flag }, { isSent: flag });
const STORED = fields({ version: oneOf(1), sessions: list(sessionId) }, { marks: list(MARK) });

/** Sessions that never leave this machine. */
export async function readPrivate(world: World): Promise<Set<string>> {
  return (await readPrivacy(world)).sessions;
}

export async function readPrivacy(world: World): Promise<Privacy> {
  const bytes = await (await remotesOf(world)).files.read(FILE);
  const { state, value } = bytes ? parseStored(bytes, STORED, ['version', 1]) : {};
  if (value)
    return {
      sessions: new Set(value.sessions),
      marks: new Map((value.marks ?? []).map((mark) => [mark.session, mark])),
    };
  if (state !== undefined)
    throw new Fault('corrupt', "The list of private sessions can't be read. Nothing is sent until it can.", {
      hint: 'Restore remotes/private.json in the archive, or delete it and mark the sessions as private again: keepsake private ID',
    });
  return { sessions: new Set(), marks: new Map() };
}

async function writePrivacy(world: World, { sessions, marks }: Privacy): Promise<void> {
  const stored = {
    version: 1,
    sessions: [...sessions].sort(),
    ...(marks.size > 0 ? { marks: [...marks.values()] } : {}),
  };
  await (await remotesOf(world)).files.write(FILE, `${JSON.stringify(stored, undefined, 2)}\n`);
}

/** What the user says here counts from now on, also where the clock is behind that of another machine. */
export async function markHere(world: World, session: string, isPrivate: boolean): Promise<void> {
  const privacy = await readPrivacy(world);
  const base = streamBase(session);
  const known = privacy.marks.get(base);
  const now = world.clock.now();
  const at = known && known.at >= now ? new Date(Date.parse(known.at) + 1).toISOString() : now;
  note(privacy, { session: base, at, isPrivate, isHere: true });
  await writePrivacy(world, privacy);
}

/** What this user said on another machine. */
export async function noteMarks(world: World, lines: readonly SegmentLine[]): Promise<void> {
  const said = lines.flatMap((line) => {
    if ((line.t !== 'withdraw' && line.t !== 'release') || line.mark === undefined) return [];
    return [{ session: streamBase(line.session), at: line.mark, isPrivate: line.t === 'withdraw' }];
  });
  if (said.length === 0) return;
  const privacy = await readPrivacy(world);
  let isChanged = false;
  for (const mark of said) {
    const known = privacy.marks.get(mark.session);
    if (mark.at <= (known?.at ?? '')) continue;
    // Private on both before they heard of each other: it stays on both.
    const isHere = mark.isPrivate && known?.isPrivate === true && known.isHere;
    note(privacy, { ...mark, isHere });
    isChanged = true;
  }
  if (isChanged) await writePrivacy(world, privacy);
}

/** Before what left from here of these sessions is taken out: they are this machine's, too. */
export async function noteSent(world: World, sessions: readonly string[]): Promise<void> {
  const privacy = await readPrivacy(world);
  const marks = sessions.flatMap((session) => privacy.marks.get(streamBase(session)) ?? []);
  if (marks.every(({ isSent }) => isSent)) return;
  for (const mark of marks) mark.isSent = true;
  await writePrivacy(world, privacy);
}

function note({ sessions, marks }: Privacy, mark: PrivateMark): void {
  const isSent = marks.get(mark.session)?.isSent;
  marks.set(mark.session, { ...mark, ...(isSent ? { isSent } : {}) });
  for (const id of sessions) if (streamBase(id) === mark.session) sessions.delete(id);
  if (mark.isPrivate) sessions.add(mark.session);
}

/** Sessions that left from here, as they are called in the own segments. */
export function leftFrom({ places }: RepoState): Set<string> {
  return new Set([...places.keys()].map((key) => streamOfKey(key).session));
}

/** Of these, the streams of private sessions. */
export function privateAmong(secret: ReadonlySet<string>, sessions: Iterable<string>): string[] {
  return [...sessions].filter((id) => secret.has(id) || secret.has(streamBase(id)));
}
