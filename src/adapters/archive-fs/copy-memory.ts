import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { listFiles } from './list-files.ts';
import { FIXTURES, refuseLinks } from './memory-place.ts';
import { type Access, writeFileAtomic } from './write-file.ts';

/** `isOlder`: `from` holds copies that a move left when it was cut short, and `to` was in use all the time. */
export type MoveTask = { from: string; to: string; access: Access; isOlder?: boolean };
export type Copied = { names: string[]; differing: string[]; bytes: number };

/** Made from originals: what is not in the place in use was deleted there. */
const DERIVED = /^sessions\//;

/** Copies what is not there yet; what is there with other content is named and left. */
export async function copyFiles({ from, to, access, isOlder = false }: MoveTask): Promise<Copied> {
  const copied: Copied = { names: [], differing: [], bytes: 0 };
  for (const name of await listFiles(from, FIXTURES)) {
    const segments = name.split('/');
    refuseLinks(from, segments);
    refuseLinks(to, segments);
    try {
      const bytes = await ifThere(readFile(join(from, name)));
      if (bytes === undefined) continue;
      const target = join(to, name);
      const there = await ifThere(readFile(target));
      if (isOlder) {
        if (there === undefined ? !DERIVED.test(name) : !there.equals(bytes)) copied.differing.push(name);
      } else if (there === undefined || replaceable(name, there, bytes)) {
        await writeFileAtomic(target, bytes, access);
        if (!(await readFile(target)).equals(bytes)) {
          throw new Fault(
            'conflict',
            `${target} was changed by another program right after it was written.`,
            {
              hint: 'Run the command again.',
            },
          );
        }
      } else if (!there.equals(bytes)) copied.differing.push(name);
      copied.names.push(name);
      copied.bytes += bytes.length;
    } catch (error) {
      throw diskFault(error, join(from, name), 'read');
    }
  }
  return copied;
}

/** Refined lines are made from our originals and only grow: the longer of the two is the newer. */
function replaceable(name: string, there: Buffer, bytes: Buffer): boolean {
  if (bytes.length > there.length && bytes.subarray(0, there.length).equals(there)) return true;
  return /^sessions\/.*\.(l1\.jsonl|l2\.json)$/.test(name) && bytes.length > there.length;
}

/**
 * The place that was in use all the time holds the newer of two that differ; the other ones are copies that a move left when
 * it was cut short. They are kept under `aside/`, too: someone may have written into them.
 */
export async function replaceLeftovers(
  { from, to, access }: MoveTask,
  names: string[],
  project: string,
  at: string,
): Promise<string[]> {
  const aside: string[] = [];
  for (const name of names) {
    const file = join('aside', stampOf(at), name);
    await writeFileAtomic(join(project, file), await readFile(join(to, name)));
    await writeFileAtomic(join(to, name), await readFile(join(from, name)), access);
    aside.push(file);
  }
  return aside;
}

/** Older copies under `aside/`; what is in use stays as it is. */
export async function keepAside(
  { from }: MoveTask,
  names: string[],
  project: string,
  at: string,
): Promise<string[]> {
  const aside = names.map((name) => join('aside', stampOf(at), name));
  for (const [n, name] of names.entries())
    await writeFileAtomic(join(project, aside[n]!), await readFile(join(from, name)));
  return aside;
}

/** Copies in `to` of what the place in use deleted since: a purged session must not come back with them. */
export async function dropStale({ from, to }: MoveTask): Promise<void> {
  const inUse = new Set(await listFiles(from, FIXTURES));
  for (const name of await listFiles(to, FIXTURES))
    if (DERIVED.test(name) && !inUse.has(name)) await rm(join(to, name), { force: true });
}

function stampOf(at: string): string {
  return at.replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
}

/** Ours of two that differ: a second memory.md becomes an archive of the other, the rest is kept under `aside/`. */
export async function setAside(
  { from, to, access }: MoveTask,
  names: string[],
  project: string,
  at: string,
): Promise<string[]> {
  const stamp = stampOf(at);
  const aside: string[] = [];
  for (const name of names) {
    const bytes = await readFile(join(from, name));
    if (name === 'memory.md') {
      await writeFileAtomic(join(to, `memory_${stamp}.md`), bytes, access);
      aside.push(`memory/memory_${stamp}.md`);
    } else {
      await writeFileAtomic(join(project, 'aside', stamp, name), bytes);
      aside.push(`aside/${stamp}/${name}`);
    }
  }
  return aside;
}
