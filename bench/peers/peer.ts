// What a measured program has to provide.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A process; `none` is the exit status for "nothing found". */
export type Call = {
  program: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  input?: string;
  none?: number;
};

export type Peer = {
  name: string;
  /** Undefined if it is not installed. */
  version: string | undefined;
  /** How to install it. */
  get: string;
  /** Reads all sessions for the first time; undefined if it builds nothing in advance. */
  index?: Call;
  /** The same with nothing new. */
  again?: Call;
  search(query: string): Call;
  /** Ids of sessions in the output of a search, best first. */
  sessionsIn(output: string): string[];
  hook?(prompt: string): Call;
  /** Bytes of the files it wrote. */
  disk?(): number;
};

/** The version that a program prints; undefined if it is not installed. */
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

/** Finds the session id in a file name, which may begin with a date. */
export function idInPath(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(/\.jsonl$/, '');
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(name)?.[0] ?? name;
}

/** Words as a person would type them into a search, without stop words. */
export function plainWords(query: string): string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])];
}
