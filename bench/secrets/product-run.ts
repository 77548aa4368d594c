import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { browserPath, openBrowser } from '../../test/made/browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'PreCompact', 'SessionEnd'];

/** A text with the place where it was found. */
export type Derived = { where: string; text: string };

/** Runs the built program in a separate home folder and collects what it writes, prints and answers. */
export class ProductRun {
  readonly home = mkdtempSync(join(tmpdir(), 'keepsake-bench-secrets-'));
  readonly cwd = join(this.home, 'app');
  readonly #archive = join(this.home, '.claude-memory');
  readonly #env = { PATH: process.env.PATH, HOME: this.home, TZ: 'UTC', NO_COLOR: '1' };
  readonly #projects: string;
  readonly #printed: Derived[] = [];

  constructor() {
    this.#projects = join(this.home, '.claude', 'projects', this.cwd.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(this.cwd);
    mkdirSync(this.#projects, { recursive: true });
  }

  write(session: string, transcript: string): void {
    writeFileSync(this.#file(session), transcript);
  }

  keepsake(...args: string[]): void {
    const ran = spawnSync(process.execPath, [join(ROOT, 'bin', 'keepsake'), ...args], {
      env: this.#env,
      cwd: this.cwd,
      encoding: 'utf8',
      input: '',
      maxBuffer: 1 << 28,
    });
    if (ran.status !== 0)
      throw new Error(`keepsake ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
    this.#printed.push({ where: 'commands', text: ran.stdout + ran.stderr });
  }

  /** Runs every hook event, with a prompt about the sessions' contents. */
  hooks(session: string): void {
    for (const event of EVENTS) {
      const common = { session_id: session, transcript_path: this.#file(session), cwd: this.cwd };
      const more = {
        source: 'startup',
        prompt: 'Go on with step 3 of the release: the login and the password.',
      };
      const ran = spawnSync(process.execPath, [join(ROOT, 'plugin', 'dist', 'hook.cjs')], {
        env: this.#env,
        cwd: this.cwd,
        encoding: 'utf8',
        input: JSON.stringify({ ...common, hook_event_name: event, ...more }),
      });
      if (ran.status !== 0) throw new Error(`${event} ended with ${ran.status}: ${ran.stderr}`);
      this.#printed.push({ where: 'hook output', text: ran.stdout + ran.stderr });
    }
  }

  /** Requests every route about these sessions, and the page with the first of them open. */
  async served(sessions: readonly string[], lines: number): Promise<void> {
    const args = [join(ROOT, 'bin', 'keepsake'), 'serve', '--json', '--port', '0'];
    const child = spawn(process.execPath, args, { env: this.#env, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const { port, token, url } = JSON.parse(await firstLine(child)) as Record<string, string>;
      const ask = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/memory/${path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        this.#printed.push({ where: 'HTTP answers', text: await answer.text() });
      };
      for (const path of [
        'sessions?limit=500',
        'facts',
        'concepts',
        'keepits',
        'history',
        'timeline',
        'status',
      ])
        await ask(path);
      for (const query of ['password', 'token', 'release+login', 'key', 'secret', 'curl'])
        for (const asked of [`search?q=${query}`, `recall?topic=${query}`]) await ask(asked);
      for (const session of sessions) {
        for (const part of ['', '/exchanges', '/messages?view=l1', '/versions', '/keepits'])
          await ask(`sessions/${session}${part}`);
        for (let line = 1; line <= lines; line++) await ask(`sessions/${session}/messages/${line}`);
      }
      await this.#look(url ?? `http://127.0.0.1:${port}/?token=${token}`, port!, sessions.slice(0, 3));
    } finally {
      child.kill('SIGINT');
    }
  }

  async #look(address: string, port: string, sessions: readonly string[]): Promise<void> {
    const path = browserPath();
    if (!path) return;
    const browser = await openBrowser(path);
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(address);
      const project = this.cwd.replace(/[^A-Za-z0-9]/g, '-');
      for (const session of sessions) {
        await page.goto(`http://127.0.0.1:${port}/memory/${project}/sessions/${session}`);
        await page.waitForTimeout(1500);
        this.#printed.push({ where: 'page', text: await page.content() });
      }
    } finally {
      await browser.close();
    }
  }

  /** All derived files, without the originals. */
  *derived(): Generator<Derived> {
    yield* this.#printed;
    for (const file of filesBelow(this.#archive)) {
      if (/\/(?:originals|backups)\//.test(file)) continue;
      yield { where: whereOf(file.slice(this.#archive.length)), text: readFileSync(file, 'latin1') };
    }
    for (const file of filesBelow(join(this.cwd, '_memory')))
      yield { where: 'journal', text: readFileSync(file, 'utf8') };
    for (const name of readdirSync(this.cwd))
      if (name.endsWith('.gz'))
        yield { where: 'exports', text: gunzipSync(readFileSync(join(this.cwd, name))).toString() };
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #file(session: string): string {
    return join(this.#projects, `${session}.jsonl`);
  }
}

function whereOf(file: string): string {
  if (file.includes('.l1.jsonl')) return 'L1';
  if (file.startsWith('/index.sqlite')) return 'index';
  if (file.startsWith('/logs/')) return 'logs';
  if (file.startsWith('/cache/')) return 'cache';
  if (file.includes('/summaries/')) return 'versions';
  if (file.includes('/composed/')) return 'compositions';
  if (file.includes('/journal/')) return 'journal';
  if (file.includes('/memory/sessions/')) return 'layers';
  if (file.includes('/memory/') || file.includes('/rolling/')) return 'memory files';
  return 'manifests';
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
  } catch {
    return [];
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let out = '';
  for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
    out += text;
    if (out.includes('\n')) break;
  }
  child.stdout!.resume();
  return out;
}
