import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Script } from 'node:vm';
import { type ProgramRun, RUN_ENDS } from './program-run.ts';

// A program: runs the built program (its root) again and again, in one process, as another program says through two pipes.
// Every run has modules of its own, as in a process of its own: only what was compiled is used again. A run ends as a process
// does, when nothing is left to do; if it ends the process, that is its end, too.
const [dist = '', asked = '', answered = ''] = process.argv.slice(2);
const requests = openSync(asked, 'r');
const answers = openSync(answered, 'w');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const OUTPUTS = ['stdout', 'stderr'] as const;
const outputs = OUTPUTS.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const);
const scripts = new Map<string, Script>();
const databases = new Set<{ isOpen: boolean; close(): void }>();
let isRunning = false;
let before = new Set<unknown>();
const mask = process.umask();

/** The root of the program, as it is when a process has just started. */
function freshRoot(): { startCommand(args: string[]): Promise<void> } {
  const modules = new Map<string, { exports: object }>();
  const load = (file: string): object => {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const folder = join(file, '..');
    const require = (id: string) => (id.startsWith('.') ? load(join(folder, id)) : builtIn(id));
    compiled(file).runInThisContext().call(module.exports, module.exports, require, module, file, folder);
    return module.exports;
  };
  const [main = ''] = /main-[\w-]+\.cjs/.exec(readFileSync(join(dist, 'cli.cjs'), 'utf8')) ?? [];
  return load(join(dist, main)) as ReturnType<typeof freshRoot>;
}

function compiled(file: string): Script {
  const known = scripts.get(file);
  if (known) return known;
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(source, { filename: file });
  scripts.set(file, script);
  return script;
}

/** What a process closes when it ends is noted. */
function builtIn(id: string): object {
  const found = process.getBuiltinModule(id) as object;
  if (id !== 'node:sqlite') return found;
  const { DatabaseSync } = found as typeof import('node:sqlite');
  class Noted extends DatabaseSync {
    constructor(...given: ConstructorParameters<typeof DatabaseSync>) {
      super(...given);
      databases.add(this);
    }
  }
  return { ...found, DatabaseSync: Noted };
}

function start({ args, cwd, env }: ProgramRun): void {
  isRunning = true;
  before = new Set(process.listeners('exit'));
  process.exitCode = undefined;
  process.argv = [process.execPath, join(dist, '..', 'bin', 'keepsake'), ...args];
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const input = Readable.from([]);
  Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => input });
  void freshRoot().startCommand(args);
}

/** What the end of a process does; returns its status. */
function end(): number {
  isRunning = false;
  const status = Number(process.exitCode ?? 0);
  for (const listener of process.listeners('exit') as ((status: number) => void)[]) {
    if (before.has(listener)) continue;
    process.removeListener('exit', listener);
    listener.call(process, status);
  }
  process.umask(mask);
  for (const name of SIGNALS) process.removeAllListeners(name);
  for (const [name, own] of outputs) {
    process[name].removeAllListeners('error');
    Object.defineProperty(process, name, own);
  }
  for (const database of databases) if (database.isOpen) database.close();
  databases.clear();
  return status;
}

/** Waits for the next run. Undefined when nobody is left to ask. */
function nextRun(): ProgramRun | undefined {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.alloc(65_536);
    const length = readSync(requests, part);
    if (length === 0) return undefined;
    parts.push(part.subarray(0, length));
    if (part[length - 1] === RUN_ENDS) return JSON.parse(Buffer.concat(parts).toString());
  }
}

// With nothing left to do, a process ends here.
process.on('beforeExit', () => {
  if (isRunning) writeSync(answers, `${end()}\n`);
  const next = nextRun();
  if (next) start(next);
  else closeSync(answers);
});
process.on('exit', (status) => {
  if (isRunning) writeSync(answers, `${status} ended\n`);
});
