import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readToEnd } from './read-stdin.ts';

let folder: string;
let writer: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-stdin-'));
});
afterEach(() => {
  writer.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The reading end of a pipe that does not block; a shell has the other end. */
function pipeFrom(script: string): number {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const end = openSync(path, constants.O_WRONLY);
  writer = spawn('sh', ['-c', script], { stdio: ['ignore', end, 'ignore'] });
  closeSync(end);
  return reader;
}

describe.runIf(process.platform !== 'win32')('a pipe that does not block', () => {
  test('is waited for until its writer has written all', () => {
    const reader = pipeFrom('sleep 0.2; printf "one "; sleep 0.2; printf two');
    expect(readToEnd(reader)).toBe('one two');
    closeSync(reader);
  });

  test('is given up when nothing comes', () => {
    const reader = pipeFrom('exec sleep 5');
    expect(() => readToEnd(reader, 30)).toThrow('No more input on stdin');
    closeSync(reader);
  });
});
