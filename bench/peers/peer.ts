// What is measured of each program.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A process; `none`: the exit status that says that nothing was found. */
export type Call = {
  program: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  input?: string;
  none?: number;
};

export type Peer = {
  name: string;
  /** Undefined: it is not installed. */
  version: string | undefined;
  /** How to get it. */
  get: string;
  /** Reads all sessions for the first time; undefined where nothing is made ahead. */
  index?: Call;
  /** The same with nothing new. */
  again?: Call;
  search(query: string): Call;
  /** Ids of sessions in what a search prints, best first. */
  sessionsIn(output: string): string[];
  hook?(prompt: string): Call;
  /** Bytes of what it made. */
  disk?(): number;
};

/** What a program says of its version; undefined where there is no such program. */
export function versionOf(program: string, args: string[]): string | undefined {
  const ran = spawnSync(program, args, { encoding: 'utf8' });
  return ran.status === 0 ? /\d+(?:\.\d+)+/.exec(ran.stdout)?.[0] : undefined;
}

export function bytesIn(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) sum += statSync(join(entry.parentPath, entry.name)).size;
  return sum;
}

/** Session files are named by the session's id. */
export function idInPath(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? '').replace(/\.jsonl$/, '');
}

/** Words as a person would type them into a search, without those that are in every text. */
export function plainWords(query: string): string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])];
}
