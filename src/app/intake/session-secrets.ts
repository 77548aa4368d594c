import { unescapedMark } from '../../core/model/purge-mask.ts';
import { KnownSecrets, needleOf } from '../../core/text/redact/known-secrets.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { loadState, type SessionState } from './session-state.ts';

/** Bytes read at a time. */
const PIECE = 512 * 1024;

/** The secrets of the lines that were read, from the lines themselves: nothing else stores them. */
export async function storedSecrets(
  world: World,
  ref: SessionRef,
  state: SessionState,
): Promise<KnownSecrets> {
  const known = new KnownSecrets();
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  const places = new Set(state.secrets);
  // A look at one line reads as much as a piece: with several of them, one pass over all is cheaper.
  const isOnePass = places.size * PIECE > state.offset;
  for (const start of isOnePass ? [0] : [...places])
    await world.transcripts.readLines(path, start, (line, at) => {
      if (places.delete(at)) known.note(line.toString());
      return isOnePass && places.size > 0 ? true : 'stop';
    });
  return known;
}

/** Values recognized as secrets anywhere in a session, for readers of its original: nothing they show may contain one. */
export async function sessionSecrets(world: World, ref: SessionRef): Promise<KnownSecrets> {
  const state = await loadState(world, ref);
  const size = (await world.archive.originals.size(ref.project, originalName(ref.session))) ?? 0;
  return state?.offset === size ? storedSecrets(world, ref, state) : allSecrets(world, ref);
}

/** The same for callers without a state: from every line. */
export async function allSecrets(world: World, ref: SessionRef): Promise<KnownSecrets> {
  const known = new KnownSecrets();
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  await world.transcripts.readLines(path, 0, (line) => {
    known.note(line.toString());
    return true;
  });
  return known;
}

/** Whether a line before the one that a secret was recognized in holds it. */
export async function isEarlier(world: World, ref: SessionRef, found: Map<string, number>): Promise<boolean> {
  const needles = [...found].map(([value, at]) => ({ bytes: Buffer.from(needleOf(value)), at }));
  const end = Math.max(0, ...needles.map(({ at }) => at));
  if (end === 0) return false;
  let isFound = false;
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  await world.transcripts.readLines(path, 0, (line, at) => {
    isFound ||= needles.some((needle) => at < needle.at && line.includes(needle.bytes));
    return isFound || at >= end ? 'stop' : true;
  });
  return isFound;
}

/** In a project's folder, by session: values that were known as secrets only after things were made from them, as marks. */
export const LATE_SECRETS = 'purge/late-secrets';

/** Written before anything else is: what was made from the session is covered by the next sync, also after a kill. */
export async function noteLateSecrets(
  world: World,
  { project, session }: SessionRef,
  values: Iterable<string>,
): Promise<void> {
  const salt = world.random.uuid();
  const marks = [...values].flatMap((value) => unescapedMark(value, salt, 1) ?? []);
  const file = `${LATE_SECRETS}/${session}/${salt}.json`;
  await world.archive.files.write(project, file, `${JSON.stringify({ salt, marks })}\n`);
}
