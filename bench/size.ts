// How costs grow with an archive: every command and hook as a separate process, CPU and peak memory, at several sizes. Each figure is
// compared to `node -e 0` and to the size before it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcript } from '../test/made/conversation.ts';
import { isMain, median, table } from './bench-table.ts';

const ROOT = join(import.meta.dirname, '..');
const KEEPSAKE = join(ROOT, 'dist', 'cli.cjs');
const HOOK = join(ROOT, 'plugin', 'dist', 'hook.cjs');
const ACTION_HOOK = join(ROOT, 'plugin', 'dist', 'action.cjs');
const USAGE = join(import.meta.dirname, 'own-usage.ts');
const SESSIONS_OF_A_PROJECT = 2000;
const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SubagentStop',
  'UserPromptSubmit',
  'SessionStart',
  'PreCompact',
  'SessionEnd',
];
const LIVE = 'aaaaaaaa-0000-4000-8000-000000000000';
const TRIES = 3;

type Used = { cpuMs: number; mib: number };
type Place = { home: string; env: NodeJS.ProcessEnv; cwd: string };

/** `[--turns N] SESSIONS...`, or `--file MIB...` for one transcript of that size. */
export async function run(args: string[]): Promise<void> {
  const isFile = args[0] === '--file';
  const turns = args[0] === '--turns' ? Number(args[1]) : 100;
  const sizes = (args[0]?.startsWith('--') ? args.slice(isFile ? 1 : 2) : args).map(Number);
  const all = sizes.length > 0 ? sizes : isFile ? [32, 128] : [100, 1000];
  let before: Map<string, Used> | undefined;
  const rows: string[][] = [];
  for (const size of all) {
    const measured = await measure(size, isFile ? undefined : turns);
    const floor = measured.get('node -e 0')!;
    for (const [name, { cpuMs, mib }] of measured) {
      const last = before?.get(name);
      rows.push([
        name,
        size.toLocaleString('en'),
        `${(cpuMs / floor.cpuMs).toFixed(2)}x`,
        last ? `${(cpuMs / last.cpuMs).toFixed(2)}x` : '',
        `${(mib / floor.mib).toFixed(2)}x`,
        last ? `${(mib / last.mib).toFixed(2)}x` : '',
      ]);
    }
    console.error(`${size} measured`);
    before = measured;
  }
  const order = (name: string) => [...before!.keys()].indexOf(name);
  rows.sort(
    (a, b) =>
      order(a[0]!) - order(b[0]!) || Number(a[1]!.replaceAll(',', '')) - Number(b[1]!.replaceAll(',', '')),
  );
  const unit = isFile ? 'MiB in one transcript' : `sessions of ${turns} turns`;
  console.log(`\n${unit}; CPU and peak memory, each also compared to the size before it\n`);
  table(['what', isFile ? 'MiB' : 'sessions', 'node -e 0', 'smaller', 'memory', 'smaller'], rows);
}

async function measure(size: number, turns: number | undefined): Promise<Map<string, Used>> {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-size-'));
  const cwd = join(home, 'app0');
  mkdirSync(cwd);
  const place: Place = { home, cwd, env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC' } };
  try {
    if (turns === undefined) makeLarge(home, size);
    else makeMany(home, size, turns);
    const measured = new Map<string, Used>();
    const of = (name: string, program: string[], input = '', tries = TRIES) =>
      measured.set(name, usedBy(place, program, input, tries));
    of('node -e 0', ['-e', '0']);
    of('sync, first', [KEEPSAKE, 'sync'], '', 1);
    of('sync, nothing new', [KEEPSAKE, 'sync']);
    of('search, first', [KEEPSAKE, 'search', 'w7el rounding'], '', 1);
    for (const [name, ...args] of [
      ['sessions', 'sessions', '--limit', '50'],
      ['search', 'search', 'w7el rounding'],
      ['recall', 'recall', 'rounding of w7el', '--budget', '1000'],
    ] as string[][])
      of(name!, [KEEPSAKE, ...args]);
    for (const event of EVENTS) {
      grow(home, cwd);
      of(event, [event === 'PreToolUse' ? ACTION_HOOK : HOOK], eventOf(home, cwd, event));
    }
    measured.set('page: projects, 50 sessions', await usedByPage(place));
    of('verify', [KEEPSAKE, 'verify'], '', 1);
    return measured;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function usedBy({ env, cwd, home }: Place, program: string[], input: string, tries: number): Used {
  const file = join(home, 'usage.json');
  const all = Array.from({ length: tries }, (): Used => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', USAGE, ...program], {
      env: { ...env, KEEPSAKE_USAGE: file },
      cwd,
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`${program.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(readFileSync(file, 'utf8')) as Used;
  });
  return { cpuMs: median(all.map(({ cpuMs }) => cpuMs)), mib: median(all.map(({ mib }) => mib)) };
}

/** Starts a server, requests what the first page requests, and stops it. */
async function usedByPage({ env, cwd, home }: Place): Promise<Used> {
  const file = join(home, 'usage.json');
  const child = spawn(process.execPath, ['--import', USAGE, KEEPSAKE, 'serve', '--json', '--port', '0'], {
    env: { ...env, KEEPSAKE_USAGE: file },
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { port, token } = await firstLine(child);
  for (const path of ['/api/memory/projects', '/api/memory/sessions?limit=50']) await ask(port, token, path);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGINT');
  await ended;
  return JSON.parse(readFileSync(file, 'utf8')) as Used;
}

async function firstLine(child: ChildProcess): Promise<{ port: number; token: string }> {
  let out = '';
  for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
    out += text;
    if (out.includes('\n')) break;
  }
  child.stdout!.resume();
  return JSON.parse(out);
}

function ask(port: number, token: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

function eventOf(home: string, cwd: string, event: string): string {
  const more = {
    prompt: 'How is the w7el rounded in step 3?',
    source: 'startup',
    trigger: 'auto',
    reason: 'exit',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
  };
  const path = join(home, '.claude', 'projects', '-app0', `${LIVE}.jsonl`);
  return JSON.stringify({ session_id: LIVE, transcript_path: path, cwd, hook_event_name: event, ...more });
}

function grow(home: string, cwd: string): void {
  const folder = join(home, '.claude', 'projects', '-app0');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${LIVE}.jsonl`);
  const from = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const turn = {
    you: `Look at ${from}.`,
    agent: `The cents of ${from} stay.`,
    at: '2026-02-01T10:00:00.000Z',
  };
  appendFileSync(path, transcript(cwd, LIVE, [...Array.from({ length: from % 997 }, () => ({})), turn]));
}

/** Words distributed as in real text: a few common, most rare. */
function word(number: number): string {
  return `w${((number * 7919) % (20 + (number % 1000))).toString(36)}el`;
}

function makeMany(home: string, sessions: number, turns: number): void {
  for (let n = 0; n < sessions; n++) {
    const project = Math.floor(n / SESSIONS_OF_A_PROJECT);
    const folder = join(home, '.claude', 'projects', `-app${project}`);
    if (n % SESSIONS_OF_A_PROJECT === 0) mkdirSync(folder, { recursive: true });
    const id = `${n.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`;
    const file = openSync(join(folder, `${id}.jsonl`), 'w');
    writeSync(file, transcript(join(home, `app${project}`), id, talk(n, turns / 2)));
    closeSync(file);
  }
}

function talk(session: number, exchanges: number) {
  return Array.from({ length: exchanges }, (_, n) => ({
    you: `How does basket ${session} round the ${word(session * 31 + n)} in step ${n}?`,
    agent: `The ${word(session + n)} keeps cents, since the ${word(n * 17)} is rounded once, in src/${word(session * 3 + n)}.ts.`,
    at: new Date(Date.UTC(2026, 0, 1) + session * 600_000 + n * 1000).toISOString(),
  }));
}

/** One transcript that is mostly tool output, like real long ones. */
function makeLarge(home: string, mib: number): void {
  const folder = join(home, '.claude', 'projects', '-app0');
  mkdirSync(folder, { recursive: true });
  const id = '00000001-1111-4111-8111-111111111111';
  const cwd = join(home, 'app0');
  const file = openSync(join(folder, `${id}.jsonl`), 'w');
  const output = 'made output of a tool that nobody will read again. '.repeat(1250);
  let written = 0;
  for (let n = 0; written < mib * 1048576; n++) {
    const blank = Array.from({ length: n % 50 }, () => ({}));
    const said = transcript(cwd, id, [...blank, talk(n, 1)[0]!]).replaceAll(`${id}-`, `${id}-${n}-`);
    const tool = { type: 'tool_result', tool_use_id: `t${n}`, content: output };
    const line = {
      type: 'user',
      uuid: `r${n}`,
      sessionId: id,
      cwd,
      timestamp: '2026-01-05T10:00:00.000Z',
      message: { role: 'user', content: [tool] },
    };
    written += writeSync(file, `${said}${JSON.stringify(line)}\n`);
  }
  closeSync(file);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
