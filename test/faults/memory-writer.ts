// A process that extends a session, adds it to memory.md and rotates, until it is killed.
import { appendFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { openTranscripts } from '../../src/adapters/transcripts/transcripts.ts';
import { rotateMemory } from '../../src/app/rolling/check.ts';
import { updateMemory } from '../../src/app/rolling/update.ts';
import type { World } from '../../src/app/world.ts';
import { newProjectChange } from '../../src/core/model/change.ts';
import { toProjectId } from '../../src/core/model/ids.ts';
import type { L1Line } from '../../src/core/model/l1.ts';

export const PROJECT = toProjectId('-memory');

/** Only the parts that the rolling memory uses. */
export function memoryWorld(root: string): World {
  const clock = { now: () => new Date().toISOString(), millis: Date.now, local: (utc: string) => utc };
  const archive = openArchive(root, { now: clock.now, lockWaitMs: 60_000 });
  return { archive, clock, transcripts: openTranscripts(root) } as unknown as World;
}

async function write(root: string, lane: string): Promise<void> {
  const world = memoryWorld(root);
  const { archive } = world;
  const session = `${lane}-session`;
  const file = `memory/sessions/${session}.l1.jsonl`;
  await archive.change(PROJECT, [
    newProjectChange({ projectId: PROJECT, originalPath: root, displayName: 'memory', createdAt: 't' }),
  ]);
  for (;;) {
    const path = archive.files.path(PROJECT, file);
    let bytes = await archive.files.size(PROJECT, file);
    const lines = String((await archive.files.read(PROJECT, file)) ?? '').split('\n').length - 1;
    const line: L1Line = {
      ts: new Date().toISOString(),
      role: 'user',
      text: `Sentence ${lines} of ${lane} tells something about thing${lines} today.`,
      src: lines,
    };
    const text = `${JSON.stringify(line)}\n`;
    if (bytes === 0) await archive.files.write(PROJECT, file, text);
    else appendFileSync(path, text);
    bytes += Buffer.byteLength(text);
    const record = {
      sessionId: session,
      registered: true,
      metadata: {},
      lastTimestamp: line.ts,
      l1: { file, bytes, lines: lines + 1 },
    };
    await archive.change(PROJECT, [{ at: ['sessions', session], put: record }]);
    await updateMemory(world, PROJECT);
    writeSync(1, `${lines + 1}\n`);
    if (Math.random() < 0.4) await rotateMemory(world, PROJECT, true);
  }
}

if (import.meta.main) {
  // Node stores compiled code only at a regular end, and this process is killed.
  flushCompileCache();
  const [root = '', lane = ''] = process.argv.slice(2);
  await write(root, lane);
}
