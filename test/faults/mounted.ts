import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` on a separate disk in memory. */
export async function mounted(options: string, work: (disk: string) => Promise<void>): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), 'keepsake-disk-'));
  if (!mount('-t', 'tmpfs', '-o', options, 'tmpfs', disk)) throw new Error('the disk could not be mounted');
  try {
    await work(disk);
  } finally {
    system('umount', '-l', disk);
    rmdirSync(disk);
  }
}

mounted.possible = possible();

export function mount(...args: string[]): boolean {
  return system('mount', ...args);
}

function system(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

function possible(): boolean {
  if (process.getuid?.() !== 0) return false;
  const disk = mkdtempSync(join(tmpdir(), 'keepsake-disk-'));
  const works = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk);
  if (works) system('umount', '-l', disk);
  rmdirSync(disk);
  return works;
}
