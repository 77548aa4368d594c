import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { platformOf } from '../../core/model/platform.ts';
import type { ArchiveFinding } from '../../ports/archive.ts';
import { ifThere } from './disk-fault.ts';
import { damagedEvents } from './history-file.ts';
import { LINK_SUFFIX, projectFolder } from './layout.ts';
import { loadManifest } from './load-manifest.ts';
import { readLog } from './manifest-log.ts';
import { leftovers } from './sweep.ts';
import { damagedNotes } from './wipe-note.ts';

const MOST_NAMED = 5;

/** A session's own transcript, below a project's folder. */
const ORIGINAL = /\/originals\/[^/]+\.jsonl$/;
const GONE = {
  level: 'error',
  what: 'points to a transcript that no longer exists',
  hint: 'To keep future originals, set storage.originals to copy.',
} as const;

type Seen = { wide: string[]; dangling: string[] };

/** Read-only: takes no lock, changes nothing. */
export async function inspectArchive(
  root: string,
  projects: ProjectId[],
  strays: string[],
): Promise<ArchiveFinding[]> {
  if (!(await ifThere(lstat(root)))) {
    return [
      { level: 'ok', subject: root, message: 'The archive does not exist yet; the first sync creates it.' },
    ];
  }
  const findings: ArchiveFinding[] = [];
  const seen: Seen = { wide: [], dangling: [] };
  await walk(root, '', seen);
  const { wide, dangling } = seen;
  const isOriginal = (name: string) => ORIGINAL.test(name);
  findings.push(
    ...named(wide, {
      level: 'warning',
      what: 'can be read or written by other users',
      hint: 'Run chmod -R go-rwx on the archive.',
    }),
    ...named(dangling.filter(isOriginal), { ...GONE, lostOriginal: true }),
    ...named(
      dangling.filter((name) => !isOriginal(name)),
      GONE,
    ),
    ...named(await leftovers(root), {
      level: 'warning',
      what: 'is left over from an interrupted write',
      hint: 'A sync deletes it when it is an hour old.',
    }),
    ...named(await damagedNotes(root), {
      level: 'error',
      what: 'was damaged, so half of a purged text may remain in a file',
      hint: 'Repeat your last purge, then delete this file.',
    }),
    ...named(strays, {
      level: 'warning',
      what: 'has neither a manifest nor originals',
      hint: 'Keepsake has no records of it. Delete the folder if you do not need its content.',
    }),
  );
  for (const project of projects) findings.push(...(await inspectProject(root, project)));
  return findings;
}

/** What is wrong with each of these, the first ones by name. */
function named(
  names: string[],
  { what, ...rest }: Omit<ArchiveFinding, 'subject' | 'message'> & { what: string },
): ArchiveFinding[] {
  const findings = names
    .slice(0, MOST_NAMED)
    .map((name) => ({ ...rest, subject: name, message: `${name} ${what}.` }));
  const more = names.length - MOST_NAMED;
  if (more > 0) findings.push({ ...rest, subject: 'archive', message: `${more} more: each ${what}.` });
  return findings;
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
  const ours = platformOf(process.platform).hasModes && !name.endsWith(LINK_SUFFIX);
  if (ours && (found.mode & 0o077) !== 0) seen.wide.push(name);
  if (!found.isDirectory()) return;
  for (const entry of (await readdir(path)).sort())
    await walk(root, below === '' ? entry : `${below}/${entry}`, seen);
}

async function inspectProject(root: string, project: ProjectId): Promise<ArchiveFinding[]> {
  const folder = projectFolder(root, project);
  const subject = `projects/${project}`;
  const findings: ArchiveFinding[] = [];
  try {
    const loaded = await loadManifest(folder, project);
    const level = loaded?.rebuilt ? 'error' : 'warning';
    for (const note of loaded?.notes ?? []) {
      findings.push({ level, subject, message: note, hint: 'Run `keepsake sync` to repair it.' });
    }
    if ((await readLog(join(folder, 'manifest.log'))).torn) {
      const message = 'manifest.log ends in an unfinished line, which was never confirmed.';
      findings.push({ level: 'warning', subject, message, hint: 'The next change deletes it.' });
    }
    const events = await damagedEvents(join(folder, 'history.jsonl'));
    if (events > 0) {
      const message = `history.jsonl contains ${events} damaged ${events === 1 ? 'line' : 'lines'}, which ${events === 1 ? 'is' : 'are'} skipped.`;
      findings.push({
        level: 'warning',
        subject,
        message,
        hint: 'Restore it from a backup, if you have one.',
      });
    }
    const ids = Object.keys(loaded?.manifest.sessions ?? {});
    const there = await Promise.all(
      ids.map((id) => ifThere(lstat(join(folder, 'originals', `${id}.jsonl`)))),
    );
    const gone = ids.filter((_, place) => !there[place]).map((id) => `${subject}/originals/${id}.jsonl`);
    const hint = 'Run `keepsake sync`; the agent may still have it.';
    findings.push(...named(gone, { level: 'error', what: 'is missing', hint, lostOriginal: true }));
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
