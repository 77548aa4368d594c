import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  read,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LAUNCHER } from './built-cli.ts';

export type Ran = { status: number | null; stdout: string; stderr: string };
export type ProgramRun = { args: string[]; cwd: string; env: Record<string, string | undefined> };

const readBeside = promisify(read);

/** The last byte of what is asked. */
export const RUN_ENDS = 10;

/** A process that runs the program for this one, until it ends. */
type Again = { requests: number; answers: number; outputs: [string, number][] };
let again: Again | undefined;

/** Of runs that are not waited for, the last. */
let beside: Promise<unknown> | undefined;

/** Runs the built program, without input. All runs of a test process share one process: what Node compiled is compiled once. */
export function runProgram(run: ProgramRun): Ran {
  if (beside || !canRunAgain(run)) return spawnProgram(run);
  const answers = ask(run);
  let answer = '';
  const part = Buffer.alloc(64);
  while (!isWhole(answer)) {
    const length = readSync(answers, part);
    if (length === 0) return ranWith(answer, true);
    answer += part.toString('utf8', 0, length);
  }
  return ranWith(answer, false);
}

/** The same while this process goes on, for a program that asks it for something. */
export async function runProgramBeside(run: ProgramRun): Promise<Ran> {
  if (!canRunAgain(run)) return spawnProgram(run);
  while (beside) await beside;
  const work = answerBeside(run);
  beside = work.catch(() => undefined);
  try {
    return await work;
  } finally {
    beside = undefined;
  }
}

async function answerBeside(run: ProgramRun): Promise<Ran> {
  const answers = ask(run);
  let answer = '';
  const part = Buffer.alloc(64);
  while (!isWhole(answer)) {
    const { bytesRead } = await readBeside(answers, part, 0, part.length, null);
    if (bytesRead === 0) return ranWith(answer, true);
    answer += part.toString('utf8', 0, bytesRead);
  }
  return ranWith(answer, false);
}

/** Where its answer will be. */
function ask(run: ProgramRun): number {
  again ??= startAgain();
  writeSync(again.requests, `${JSON.stringify(run)}\n`);
  return again.answers;
}

/** The entry itself says the version; Windows has no pipes with names in a folder. */
function canRunAgain({ args }: ProgramRun): boolean {
  return process.platform !== 'win32' && !/^(--version|-[vV])$/.test(args.join(' '));
}

/** If the process ends with the run, its pipe ends behind this. */
function isWhole(answer: string): boolean {
  return answer.endsWith('\n') && !answer.includes('ended');
}

/** A process that is killed says nothing: its status is null. */
function ranWith(answer: string, hasEnded: boolean): Ran {
  const { requests, answers, outputs } = again!;
  const [stdout = '', stderr = ''] = outputs.map(([file, handle]) => {
    const text = readFileSync(file, 'utf8');
    ftruncateSync(handle);
    return text;
  });
  if (hasEnded) {
    for (const handle of [requests, answers, ...outputs.map(([, it]) => it)]) closeSync(handle);
    again = undefined;
  }
  return { status: answer === '' ? null : Number.parseInt(answer, 10), stdout, stderr };
}

/** In a process of its own. */
export function spawnProgram({ args, ...place }: ProgramRun, input = '', owner?: number): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...args], {
    ...place,
    encoding: 'utf8',
    input,
    ...(owner === undefined ? {} : { uid: owner, gid: owner }),
  });
  return { status, stdout, stderr };
}

function startAgain(): Again {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-again-'));
  const [asked, answered] = [join(folder, 'asked'), join(folder, 'answered')];
  execFileSync('mkfifo', [asked, answered]);
  const outputs = ['stdout', 'stderr'].map((name): [string, number] => {
    const file = join(folder, name);
    return [file, openSync(file, 'a')];
  });
  const dist = join(LAUNCHER, '..', '..', 'dist');
  const program = join(import.meta.dirname, 'program-again.ts');
  const child = spawn(process.execPath, [program, dist, asked, answered], {
    stdio: ['ignore', ...outputs.map(([, handle]) => handle)],
  });
  child.unref();
  return { requests: openSync(asked, 'w'), answers: openSync(answered, 'r'), outputs };
}
