import { askOpening } from '../../core/layers/titles/ask-opening.ts';
import { redact } from '../../core/text/redact.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { identifyReadable } from '../intake/identify-file.ts';
import { isUnchanged, loadSources } from '../intake/source-cache.ts';
import { unlessFault } from '../or-fault.ts';
import type { World } from '../world.ts';

/** Less than this is read before a person has read what would be said of it. */
const WORTH_A_LOOK = 50 * 1024 * 1024;
const NEWEST = 8;
/** Lines of a file that are looked at: the first ask is near the beginning. */
const MOST_LINES = 200;

/** A session that waits to be read: when it was last written to, where it was, and how its first ask begins. */
export type WaitingSession = { mtimeMs: number; cwd: string; ask: string };
export type WaitingSessions = { sessions: number; bytes: number; newest: WaitingSession[] };

/** What a long sync is about to read, from the beginnings of the newest files; undefined if there is little to read. */
export async function waitingSessions(
  world: World,
  files: FoundTranscript[],
): Promise<WaitingSessions | undefined> {
  const taken = await loadSources(world);
  const waiting = files.filter((file) => !isUnchanged(taken.get(file.path), file));
  const bytes = waiting.reduce((sum, { size }) => sum + size, 0);
  if (bytes < WORTH_A_LOOK) return undefined;
  const newest: WaitingSession[] = [];
  for (const file of waiting.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    if (newest.length === NEWEST) break;
    const found = await beginningOf(world, file);
    if (found) newest.push(found);
  }
  return { sessions: waiting.length, bytes, newest };
}

async function beginningOf(
  world: World,
  { path, mtimeMs }: FoundTranscript,
): Promise<WaitingSession | undefined> {
  const known = await identifyReadable(world, path);
  if (!known || known.agentId !== undefined) return undefined;
  let ask = '';
  let left = MOST_LINES;
  const look = world.transcripts.readLines(path, 0, (line) => {
    for (const { entries } of readLine(known.agent, line, 0, false).objects)
      for (const entry of entries)
        if (ask === '' && entry.kind === 'user' && entry.origin === 'user')
          ask = askOpening(redact(entry.text).text)?.text ?? '';
    return ask !== '' || --left === 0 ? 'stop' : true;
  });
  await unlessFault(look, ['unreadable', 'bad-input']);
  return ask === '' ? undefined : { mtimeMs, cwd: known.cwd ?? '', ask };
}
