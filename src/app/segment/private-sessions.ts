import { Fault } from '../../core/model/fault.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fields, list, oneOf, sessionId } from '../../core/model/shape.ts';
import type { World } from '../world.ts';
import { remotesOf } from './remote-record.ts';

const FILE = 'private.json';
const STORED = fields({ version: oneOf(1), sessions: list(sessionId) });

/** Sessions that never leave this machine. */
export async function readPrivate(world: World): Promise<Set<string>> {
  const bytes = await (await remotesOf(world)).files.read(FILE);
  const { state, value } = bytes ? parseStored(bytes, STORED, ['version', 1]) : {};
  if (value) return new Set(value.sessions);
  if (state !== undefined)
    throw new Fault('corrupt', "The list of private sessions can't be read. Nothing is sent until it can.", {
      hint: 'Restore remotes/private.json in the archive, or delete it and mark the sessions as private again: keepsake private ID',
    });
  return new Set();
}

export async function writePrivate(world: World, sessions: Iterable<string>): Promise<void> {
  const stored = { version: 1, sessions: [...new Set(sessions)].sort() };
  await (await remotesOf(world)).files.write(FILE, `${JSON.stringify(stored, undefined, 2)}\n`);
}
