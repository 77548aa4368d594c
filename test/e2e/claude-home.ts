import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { COMPILED } from './built-cli.ts';
import type { FakeModel } from './fake-model.ts';
import { type Ran, runProgramBeside } from './program-run.ts';
import { settled } from './settled.ts';

/** A person's home with the real client in it, a project, and a model that is not one. */
export class ClaudeHome {
  readonly path = mkdtempSync(join(tmpdir(), 'keepsake-claude-'));
  readonly app = join(this.path, 'work', 'lighthouse');
  readonly archive = join(this.path, '.claude-memory');
  /** Where commands are run: the project, unless a test goes elsewhere. */
  cwd = this.app;
  /** For the work that hooks leave to a process of its own, after each command of the client. */
  waits = true;
  /** What every command finds in its environment besides. */
  env: Record<string, string> = {};
  readonly #client: string;
  readonly #model: FakeModel;

  constructor(client: string, model: FakeModel) {
    this.#client = client;
    this.#model = model;
    mkdirSync(this.app, { recursive: true });
  }

  /** One command of the client, in the project. */
  async claude(args: string[], env: Record<string, string> = {}): Promise<Ran> {
    const ran = await this.#run(this.#client, args, env);
    if (this.waits) await settled(this.archive);
    return ran;
  }

  /** One prompt; what the model was asked because of it. */
  async ask(prompt: string, args: string[] = [], env: Record<string, string> = {}): Promise<string> {
    const before = this.#model.requests.length;
    const ran = await this.claude(['-p', prompt, ...args], env);
    if (ran.status !== 0) throw new Error(`claude -p ended with ${ran.status}: ${ran.stderr}${ran.stdout}`);
    return this.#model.seenSince(before);
  }

  keepsake(...args: string[]): Promise<Ran> {
    return runProgramBeside({ args, cwd: this.cwd, env: this.#environment({}) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was printed
  async json(...args: string[]): Promise<any> {
    const { status, stdout, stderr } = await this.keepsake(...args, '--json');
    if (status !== 0) throw new Error(`keepsake ${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The ids of the sessions that the client has written, oldest name first. */
  sessions(): string[] {
    const folder = join(this.path, '.claude', 'projects', this.app.replace(/[^A-Za-z0-9]/g, '-'));
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return names.map((name) => name.slice(0, -'.jsonl'.length));
  }

  transcript(session: string): string {
    const folder = join(this.path, '.claude', 'projects', this.app.replace(/[^A-Za-z0-9]/g, '-'));
    return readFileSync(join(folder, `${session}.jsonl`), 'utf8');
  }

  /** Every refined line in the archive, as one text. */
  remembered(): string {
    const files = readdirSync(this.archive, { recursive: true, encoding: 'utf8' });
    return files
      .filter((name) => name.endsWith('.l1.jsonl') || name.endsWith('.l2.json'))
      .map((name) => readFileSync(join(this.archive, name), 'utf8'))
      .join('');
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  #environment(env: Record<string, string>): Record<string, string> {
    return {
      // The client's folder first: `keepsake install` calls it by its name.
      PATH: [dirname(this.#client), process.env.PATH].join(delimiter),
      HOME: this.path,
      TZ: 'UTC',
      NODE_COMPILE_CACHE: COMPILED,
      ANTHROPIC_BASE_URL: this.#model.url,
      ANTHROPIC_API_KEY: 'sk-ant-fake-dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      ENABLE_TOOL_SEARCH: 'false',
      // The client asks the model once its servers are there, however long a busy machine takes to start them.
      MCP_CONNECTION_NONBLOCKING: 'false',
      MCP_CONNECT_TIMEOUT_MS: '600000',
      MCP_TIMEOUT: '600000',
      ...this.env,
      ...env,
    };
  }

  #run(command: string, args: string[], env: Record<string, string>): Promise<Ran> {
    const child = spawn(command, args, {
      cwd: this.cwd,
      env: this.#environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString('utf8');
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString('utf8');
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => resolve({ status, stdout, stderr }));
    });
  }
}
