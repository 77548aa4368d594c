import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTS } from './acts.ts';
import { chance } from './chance.ts';
import { printReport, seedFrom } from './fault-report.ts';
import { type Broken, brokenAfterSync, lookAt, nothingBroken, sumOf } from './laws.ts';
import { Life } from './life.ts';
import { makeTemplate } from './make-template.ts';
import { runAct } from './run-act.ts';
import type { Scene } from './scene.ts';

/** Acts before the loss, so that there is something of every kind. */
const BEFORE = [
  'facts add',
  'facts correct',
  'keepit add',
  'keepit set',
  'sessions rename',
  'projects rename',
  'compress',
  'delta',
  'compose',
  'compose resume',
  'config set project',
  'unregister',
  'purge text',
  'purge session',
  'sync',
  'summarize',
];
const MANIFESTS = ['manifest.json', 'manifest.prev.json'];
const LOGS = ['manifest.log', 'manifest.prev.log'];

type Loss = { name: string; of: (folder: string, draw: () => number) => void };
const remove = (names: string[]) => (folder: string) => {
  for (const name of names) rmSync(join(folder, name), { force: true });
};
const LOSSES: Loss[] = [
  { name: 'both manifests gone', of: remove(MANIFESTS) },
  { name: 'both manifests and both logs gone', of: remove([...MANIFESTS, ...LOGS]) },
  {
    name: 'both manifests cut off',
    of: (folder, draw) => {
      for (const name of MANIFESTS) {
        const path = join(folder, name);
        if (existsSync(path)) truncateSync(path, Math.floor(readFileSync(path).length * draw()));
      }
    },
  },
  {
    name: 'both manifests empty',
    of: (folder) => {
      for (const name of MANIFESTS) writeFileSync(join(folder, name), '');
    },
  },
  {
    name: 'both manifests with flipped bytes',
    of: (folder, draw) => {
      for (const name of MANIFESTS) {
        const path = join(folder, name);
        if (!existsSync(path)) continue;
        const bytes = readFileSync(path);
        // Also damages the beginning: a changed byte inside a value would leave readable JSON.
        bytes[0]! ^= 0x15;
        for (let n = 0; n < 5; n++) bytes[Math.floor(draw() * bytes.length)]! ^= 0x15;
        writeFileSync(path, bytes);
      }
    },
  },
];

export type LossReport = {
  losses: number;
  kept: Record<string, [there: number, before: number]>;
  broken: Broken;
};

/** Checks what is left of an archive with versions and compositions when its manifests are lost. */
export async function loseManifests(seed: number): Promise<LossReport> {
  process.umask(0o077);
  const draw = chance(seed);
  const work = mkdtempSync(join(tmpdir(), 'keepsake-lost-'));
  const root = join(work, 'life');
  await makeTemplate(root);
  const life = new Life(root);
  const { purged, gone } = await doAll(life);
  const before = await lookAt(life);
  cpSync(root, join(work, 'whole'), { recursive: true });
  const report: LossReport = { losses: 0, kept: {}, broken: nothingBroken() };
  for (const loss of LOSSES) {
    rmSync(root, { recursive: true, force: true });
    cpSync(join(work, 'whole'), root, { recursive: true });
    const projects = join(life.archive, 'projects');
    for (const project of readdirSync(projects)) loss.of(join(projects, project), draw);
    report.losses++;
    const where = (text: string) => `${loss.name}: ${text}`;
    const after = await brokenAfterSync(life, purged, gone);
    const now = await lookAt(life);
    const lost: string[] = [];
    for (const entry of before.kept.entries) {
      const kind = entry.split(' ')[1]!;
      const key = `${loss.name}: ${kind}`;
      const [there, all] = report.kept[key] ?? [0, 0];
      const isThere = now.kept.entries.has(entry);
      report.kept[key] = [there + (isThere ? 1 : 0), all + 1];
      if (!isThere) lost.push(entry.slice(0, 200));
    }
    report.broken = sumOf(report.broken, {
      lost: [...after.lost, ...lost].map(where),
      corrupt: [...after.corrupt, ...now.kept.notes].map(where),
      back: after.back.map(where),
    });
  }
  rmSync(work, { recursive: true, force: true });
  return report;
}

async function doAll(life: Life): Promise<{ purged: string[]; gone: string[] }> {
  const [purged, gone]: [string[], string[]] = [[], []];
  for (const [n, name] of BEFORE.entries()) {
    const act = ACTS.find((it) => it.name === name)!;
    const { kept } = await lookAt(life);
    const scene: Scene = { life, n: 500 + n, manifests: kept.manifests, purged: [...purged, ...gone] };
    act.prepare?.(scene);
    const what = act.does(scene);
    if (!what) continue;
    const { status, printed } = await runAct(life, what);
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${printed}`);
    if (act.forgets) purged.push(act.forgets(scene));
    const session = act.takesSession?.(scene);
    if (session) gone.push(session);
  }
  return { purged, gone };
}

/** [SEED] */
export async function runManifests([asked]: string[]): Promise<boolean> {
  const report = await loseManifests(seedFrom(asked));
  return printReport(
    [
      ['ways to lose both manifests', report.losses],
      ...Object.entries(report.kept).map(([what, [there, all]]): [string, string] => [
        `  ${what}`,
        `${there} of ${all}`,
      ]),
    ],
    report.broken,
  );
}
