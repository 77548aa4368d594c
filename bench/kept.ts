// What an archive contains of whole projects: user texts, share of L1, sessions compressed completely. With
// `--beside=CHECKOUT`, also for another build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deltaStatus } from '../src/app/compress/delta.ts';
import { allSessions } from '../src/app/find/sessions.ts';
import { sync } from '../src/app/sync/sync.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { projectsIn } from './folded-sessions.ts';

type Kept = { sessions: number; users: number; l1: number; originals: number };

export async function run(args: string[]): Promise<void> {
  const beside = args.find((it) => it.startsWith('--beside='))?.slice('--beside='.length);
  const folders = args.filter((it) => !it.startsWith('--')).flatMap(projectsIn);
  if (folders.length === 0)
    throw new Error(
      'Missing folders of transcripts. Usage: npm run bench -- kept DIR... [--beside=CHECKOUT]',
    );
  const rows: string[][] = [];
  for (const folder of folders) {
    const { kept, complete } = await ownArchive(folder);
    if (kept.sessions === 0) continue;
    const own = [basename(folder), `${complete} of ${kept.sessions}`, String(kept.users), share(kept)];
    const other = beside ? otherArchive(beside, folder) : undefined;
    rows.push(
      other
        ? [...own, String(other.users), share(other), `${(kept.l1 / Math.max(1, other.l1)).toFixed(2)}x`]
        : own,
    );
  }
  const head = ['project', 'compressed completely', 'user texts', 'L1'];
  table(beside ? [...head, 'user texts there', 'L1 there', 'L1 of it'] : head, rows);
}

async function ownArchive(folder: string): Promise<{ kept: Kept; complete: number }> {
  const world = makeWorld();
  try {
    await sync(world, { from: [folder] });
    const rows = await allSessions(world);
    let complete = 0;
    for (const { projectId, sessionId } of rows) {
      const { waiting } = await deltaStatus(world, { project: projectId, session: sessionId });
      if (waiting === 0) complete++;
    }
    return { kept: keptIn(world.places.archive), complete };
  } finally {
    await world.remove();
  }
}

function otherArchive(checkout: string, folder: string): Kept {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-kept-'));
  try {
    const archive = join(home, 'archive');
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_MEMORY_DIR: archive };
    spawnSync(join(checkout, 'bin/keepsake'), ['sync', '--from', folder], { env, stdio: 'ignore' });
    return keptIn(archive);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Reads only files of the archive whose names are the same in all builds. */
function keptIn(archive: string): Kept {
  const kept = { sessions: 0, users: 0, l1: 0, originals: 0 };
  for (const name of readdirSync(archive, { recursive: true, encoding: 'utf8' })) {
    const isRefined = name.endsWith('.l1.jsonl');
    if (!isRefined && !/[\\/]originals[\\/][^\\/]+$/.test(name)) continue;
    const bytes = readFileSync(join(archive, name));
    if (!isRefined) {
      kept.originals += bytes.length;
      continue;
    }
    kept.sessions++;
    kept.l1 += bytes.length;
    for (const line of bytes.toString('utf8').split('\n').filter(Boolean)) {
      const { role, text } = JSON.parse(line) as L1Line;
      if (role === 'user' && text) kept.users++;
    }
  }
  return kept;
}

function share({ l1, originals }: Kept): string {
  return `${((100 * l1) / Math.max(1, originals)).toFixed(2)}%`;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
