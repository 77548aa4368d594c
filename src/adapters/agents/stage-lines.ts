import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedLines } from '../../ports/transcripts.ts';

/** The time after its last change from which a session counts as ended: held-back messages are read as they are. */
const QUIET_MS = 10 * 60 * 1000;

/** What a killed run leaves is swept with the archive's other unfinished files. */
const TEMP_PREFIX = '.tmp-';

export function isQuiet(changed: number, now: number): boolean {
  return Math.abs(now - changed) > QUIET_MS;
}

/** A session that was under way is looked at once more when it has ended, although nothing changed by then. */
export function markOfTime(changed: number, now: number): number {
  return Math.floor(changed) + (isQuiet(changed, now) ? 0.5 : 0);
}

/** A file of lines that only this run knows. */
export function stageLines(folder: string, lines: Iterable<unknown>): StagedLines {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${TEMP_PREFIX}${randomUUID()}.jsonl`);
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const line of lines) writeAll(file, Buffer.from(`${JSON.stringify(line)}\n`));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return { path, remove: () => rm(path, { force: true }) };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
