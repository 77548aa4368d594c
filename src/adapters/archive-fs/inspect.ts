import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Finding } from '../../ports/archive.ts';
import { ifThere } from './disk-fault.ts';
import { LINK_SUFFIX, projectFolder } from './layout.ts';
import { loadManifest } from './load-manifest.ts';
import { readLog } from './manifest-log.ts';
import { leftovers } from './sweep.ts';

const MOST_NAMED = 5;

type Seen = { wide: string[]; dangling: string[] };

/** Looks only: opens no lock, changes nothing. */
export async function inspectArchive(
  root: string,
  projects: ProjectId[],
  strays: string[],
): Promise<Finding[]> {
  if (!(await ifThere(lstat(root)))) {
    return [
      { level: 'ok', subject: root, message: 'The archive is not there yet; the first sync makes it.' },
    ];
  }
  const findings: Finding[] = [];
  const seen: Seen = { wide: [], dangling: [] };
  await walk(root, '', seen);
  report(
    findings,
    seen.wide,
    'warning',
    'can be read or written by other users',
    'Run chmod -R go-rwx on the archive.',
  );
  report(
    findings,
    seen.dangling,
    'error',
    'points to a transcript that is gone',
    'Set storage.originals to copy, so that the next ones are kept.',
  );
  report(
    findings,
    await leftovers(root),
    'warning',
    'was left by a write that did not finish',
    'A sync removes it once it is an hour old.',
  );
  report(
    findings,
    strays,
    'warning',
    'has neither a manifest nor originals',
    'Nothing of it is known; remove the folder if you do not need what is in it.',
  );
  for (const project of projects) findings.push(...(await inspectProject(root, project)));
  return findings;
}

function report(
  findings: Finding[],
  names: string[],
  level: Finding['level'],
  what: string,
  hint: string,
): void {
  for (const name of names.slice(0, MOST_NAMED))
    findings.push({ level, subject: name, message: `${name} ${what}.`, hint });
  const more = names.length - MOST_NAMED;
  if (more > 0) findings.push({ level, subject: 'archive', message: `${more} more: each ${what}.`, hint });
}

async function walk(root: string, below: string, seen: Seen): Promise<void> {
  const path = join(root, below);
  const found = await ifThere(lstat(path));
  if (!found) return;
  const name = below === '' ? root : below;
  if (found.isSymbolicLink()) {
    if (!(await ifThere(stat(path)))) seen.dangling.push(name);
    return;
  }
  // A hard link has the permissions of the agent's own file, which are not ours to judge.
  const ours = process.platform !== 'win32' && !name.endsWith(LINK_SUFFIX);
  if (ours && (found.mode & 0o077) !== 0) seen.wide.push(name);
  if (!found.isDirectory()) return;
  for (const entry of (await readdir(path)).sort())
    await walk(root, below === '' ? entry : `${below}/${entry}`, seen);
}

async function inspectProject(root: string, project: ProjectId): Promise<Finding[]> {
  const folder = projectFolder(root, project);
  const subject = `projects/${project}`;
  const findings: Finding[] = [];
  try {
    const loaded = await loadManifest(folder, project);
    const level = loaded?.rebuilt ? 'error' : 'warning';
    for (const note of loaded?.notes ?? []) {
      findings.push({ level, subject, message: note, hint: 'Run `keepsake sync`, which mends it.' });
    }
    if ((await readLog(join(folder, 'manifest.log'))).torn) {
      const message = 'manifest.log ends in an unfinished line, which was never confirmed.';
      findings.push({ level: 'warning', subject, message, hint: 'The next change removes it.' });
    }
    const ids = Object.keys(loaded?.manifest.sessions ?? {});
    const there = await Promise.all(
      ids.map((id) => ifThere(lstat(join(folder, 'originals', `${id}.jsonl`)))),
    );
    const gone = ids.filter((_, place) => !there[place]).map((id) => `${subject}/originals/${id}.jsonl`);
    report(findings, gone, 'error', 'is missing', 'Run `keepsake sync`; the agent may still have it.');
    if (findings.length === 0) {
      findings.push({
        level: 'ok',
        subject,
        message: `${ids.length} ${ids.length === 1 ? 'session' : 'sessions'}.`,
      });
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    findings.push({
      level: 'error',
      subject,
      message: error.message,
      ...(error.hint ? { hint: error.hint } : {}),
    });
  }
  return findings;
}
