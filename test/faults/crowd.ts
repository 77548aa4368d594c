import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chance } from './chance.ts';
import { printReport, seedFrom } from './fault-report.ts';
import { type Before, type Broken, brokenAfterSync, lookAt, nothingBroken, sumOf } from './laws.ts';
import { Life, OLD, SECOND, sessionNamed, wordToPurge } from './life.ts';
import { makeTemplate } from './make-template.ts';

const ROOT = process.env.FAULT_PROGRAM ?? join(import.meta.dirname, '..', '..');
const EVENTS = [
  'UserPromptSubmit',
  'PostToolUse',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionStart',
  'SessionEnd',
];
const PURGED = [0, 1, 2].map(wordToPurge);
const COMPILED = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'keepsake-faults-compiled');

export type CrowdReport = { hooks: number; commands: number; refused: string[]; broken: Broken };
type Ran = { status: number | null; errors: string };

/** Starts all hooks at nearly the same time, together with commands that write, purge and compose. */
export async function crowdOf(hooks: number, seed: number): Promise<CrowdReport> {
  process.umask(0o077);
  const draw = chance(seed);
  const work = mkdtempSync(join(tmpdir(), 'keepsake-crowd-'));
  const life = new Life(join(work, 'life'));
  await makeTemplate(life.root);
  const before = await lookAt(life);
  const sessions = Array.from({ length: Math.ceil(hooks / 4) }, (_, n) => sessionNamed(0x2000 + n));
  for (const session of sessions) life.grow(session, `crowd${session.slice(0, 8)}lamp`);
  const commands = [
    ['sync'],
    ['sync'],
    ...PURGED.map((word) => ['purge', '--text', word, '--yes']),
    ['compose', 'in a crowd', '--budget', '3000', '--sessions', `${OLD},${SECOND}`],
    ['compose', 'in a crowd too', '--budget', '2000', '--sessions', OLD],
    ['facts', 'add', 'In a crowd nothing is lost.'],
    ['sync'],
  ];
  const running = Array.from({ length: hooks }, async (_, n) => {
    const [event, session] = [EVENTS[n % EVENTS.length]!, sessions[n % sessions.length]!];
    await pause(draw() * 2000);
    life.grow(session, `crowd${n}of${seed}`);
    return ran(
      life,
      [join(ROOT, 'plugin', 'dist', 'hook.cjs')],
      life.event(event, session, { prompt: 'prices of the basket' }),
    );
  });
  const asked = commands.map(async (args) => {
    await pause(draw() * 2000);
    const ended = await ran(life, [join(ROOT, 'dist', 'cli.cjs'), ...args], '');
    // Another process held the archive too long: a person would try again.
    return ended.status === 75 ? ran(life, [join(ROOT, 'dist', 'cli.cjs'), ...args], '') : ended;
  });
  const report: CrowdReport = { hooks, commands: commands.length, refused: [], broken: nothingBroken() };
  for (const [n, ended] of (await Promise.all(running)).entries())
    if (ended.status !== 0 || ended.errors !== '')
      report.refused.push(`${EVENTS[n % 7]}: ${ended.status} ${ended.errors.slice(0, 2000)}`);
  for (const [n, ended] of (await Promise.all(asked)).entries())
    if (ended.status !== 0)
      report.refused.push(`${commands[n]!.join(' ')}: ${ended.status} ${ended.errors.slice(0, 2000)}`);
  report.broken = sumOf(await brokenAfterSync(life, PURGED), lostOf(before, await lookAt(life)));
  if (Object.values(report.broken).flat().length === 0)
    rmSync(work, { recursive: true, force: true, maxRetries: 20 });
  return report;
}

function lostOf(before: Before, now: Before): Broken {
  const wanted = [
    ...before.kept.entries,
    'composition in a crowd ',
    'composition in a crowd too ',
    'In a crowd nothing is lost',
  ];
  const there = [...now.kept.entries];
  // Files made from purged words are rebuilt without them.
  const lost = wanted.filter(
    (entry) => !there.some((it) => it.includes(entry)) && !PURGED.some((word) => entry.includes(word)),
  );
  return { lost, corrupt: now.kept.notes, back: [] };
}

function ran(life: Life, program: string[], input: string): Promise<Ran> {
  const child = spawn(process.execPath, program, {
    cwd: life.folder(),
    env: { ...life.variables, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, errors })));
}

/** [HOOKS] [SEED] */
export async function runCrowd([hooks = '200', asked]: string[]): Promise<boolean> {
  const report = await crowdOf(Number(hooks), seedFrom(asked));
  const sound = printReport(
    [
      ['hooks at once', report.hooks],
      ['commands among them', report.commands],
      ['failed', report.refused.length],
    ],
    report.broken,
  );
  for (const text of report.refused.slice(0, 10)) console.log(`  ${text}`);
  return sound && report.refused.length === 0;
}
