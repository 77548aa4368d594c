// Home folders, one per measured build, each with an archive of generated or real sessions.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcript } from '../test/made/conversation.ts';
import { madeTalk, seeded } from './made-talk.ts';

export const MADE_TURNS = 100;

/** The contents of an archive: a number of generated sessions, or the sessions of a folder. */
export type ArchiveSize = number | string;

/** One home per build. Homes in `keep` are reused: making one takes longer than measuring. */
export function homesFor(
  size: ArchiveSize,
  builds: [name: string, root: string][],
  keep: string | undefined,
): { homes: string[]; remove(): void } {
  const homes = builds.map(([, root], at) => {
    const kept = keep && join(keep, `${String(size).replace(/\W+/g, '-')}-${at}`);
    const home = kept ?? mkdtempSync(join(tmpdir(), 'keepsake-bench-hooks-'));
    if (!existsSync(join(home, 'app'))) makeSessions(home, size);
    const from = typeof size === 'string' ? ['--from', size] : [];
    const env = { PATH: process.env.PATH, HOME: home };
    const cwd = join(home, 'app');
    const synced = spawnSync(process.execPath, [join(root, 'bin', 'keepsake'), 'sync', ...from], {
      env,
      cwd,
    });
    if (synced.status !== 0) throw new Error(String(synced.stderr));
    return home;
  });
  const remove = () => {
    if (!keep) for (const home of homes) rmSync(home, { recursive: true, force: true });
  };
  return { homes, remove };
}

export function transcriptsOf(home: string): string {
  return join(home, '.claude', 'projects', join(home, 'app').replace(/[^A-Za-z0-9]/g, '-'));
}

function makeSessions(home: string, size: ArchiveSize): void {
  const cwd = join(home, 'app');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(transcriptsOf(home), { recursive: true });
  if (typeof size === 'string') return;
  const random = seeded(7);
  for (let n = 0; n < size; n++) {
    const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
    writeFileSync(
      join(transcriptsOf(home), `${id}.jsonl`),
      transcript(cwd, id, madeTalk(random, n, MADE_TURNS)),
    );
  }
}
