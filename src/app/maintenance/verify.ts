import type { ProjectId } from '../../core/model/ids.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { Finding } from '../../ports/archive.ts';
import { verifyCompositions } from '../compose/verify-compositions.ts';
import { verifyVersions } from '../compress/verify-versions.ts';
import { findProject } from '../find/project.ts';
import { findSession } from '../find/session.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { unfinishedPurges } from '../purge/open-purge.ts';
import type { World } from '../world.ts';
import { isRefinedAsStored } from './is-refined-as-stored.ts';
import { orFinding } from './or-finding.ts';
import { inspectFiles } from './originals-state.ts';
import { damagedFiles } from './stored-files.ts';

export type VerifyProgress = {
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  current?: string;
};
export type VerifyReport = { sessions: number; bytes: number; problems: Finding[]; passed: boolean };
export type VerifyRequest = {
  project?: string;
  session?: string;
  onProgress?: (progress: VerifyProgress) => void;
  signal?: AbortSignal;
};

/** Re-hashes originals, reads them again, and compares every derived byte. */
export async function verify(world: World, request: VerifyRequest = {}): Promise<VerifyReport> {
  const rows = await wanted(world, request);
  const totalBytes = rows.reduce((total, row) => total + row.originalBytes, 0);
  const problems = (await inspectFiles(world)).filter((finding) => finding.level !== 'ok');
  let bytes = 0;
  for (const [done, row] of rows.entries()) {
    request.signal?.throwIfAborted();
    request.onProgress?.({ done, total: rows.length, bytes, totalBytes, current: row.sessionId });
    problems.push(...(await verifySession(world, row, request.signal)));
    bytes += row.originalBytes;
  }
  if (request.session === undefined) {
    problems.push(...(await strays(world, rows)), ...(await verifyCompositions(world, request.project)));
    for (const project of await projectsOf(world, request.project))
      problems.push(...(await damagedFiles(world, project)));
  }
  request.onProgress?.({ done: rows.length, total: rows.length, bytes, totalBytes });
  if ((await unfinishedPurges(world)).length > 0)
    return { sessions: rows.length, bytes, ...halfPurged(problems) };
  const passed = problems.every((problem) => problem.level !== 'error');
  return { sessions: rows.length, bytes, problems, passed };
}

/** What a purge has begun to overwrite differs from its record until the purge is finished: no backup may bring it back. */
function halfPurged(problems: Finding[]): Pick<VerifyReport, 'problems' | 'passed'> {
  const hint = 'Run `keepsake sync` to finish the purge, then verify again.';
  const first: Finding = {
    level: 'error',
    subject: 'purge',
    message: 'A purge was interrupted; files that it has yet to change may differ from their records.',
    hint,
  };
  return { problems: [first, ...problems.map((problem) => ({ ...problem, hint }))], passed: false };
}

async function projectsOf(world: World, project: string | undefined): Promise<ProjectId[]> {
  return project === undefined ? world.archive.projects() : [await findProject(world, project)];
}

async function wanted(world: World, request: VerifyRequest): Promise<SessionRow[]> {
  if (request.session === undefined) return allSessions(world, request.project);
  return [(await findSession(world, request.session, request.project)).row];
}

async function verifySession(world: World, row: SessionRow, signal?: AbortSignal): Promise<Finding[]> {
  const project = row.projectId;
  const subject = `${row.projectName} ${row.sessionId}`;
  const problem = (message: string, hint?: string): Finding[] => [
    { level: 'error', subject, message, ...(hint === undefined ? {} : { hint }) },
  ];
  const check = async (): Promise<Finding[]> => {
    const name = `${row.sessionId}.jsonl`;
    const size = await world.archive.originals.size(project, name);
    if (size === undefined) {
      return problem(
        'The original is missing from the archive.',
        `If it still exists: keepsake register ${row.originalFile}`,
      );
    }
    if (size > row.originalBytes) {
      const message = `The original has ${size - row.originalBytes} bytes that are not recorded yet.`;
      return [{ level: 'warning', subject, message, hint: 'Run `keepsake sync`, then verify again.' }];
    }
    if (size < row.originalBytes) {
      return problem(
        `The original has ${size.toLocaleString('en')} bytes, but ${row.originalBytes.toLocaleString('en')} were recorded: its end is missing.`,
        BACKUP,
      );
    }
    const { hash } = await world.archive.originals.hash(project, name);
    if (hash !== row.originalHash) return problem('The original was changed: its hash differs.', BACKUP);
    const derived = await verifyL1(world, row, problem);
    const versions = derived.length === 0 ? await verifyVersions(world, row, signal) : [];
    return [...(await verifyBeside(world, row, subject)), ...derived, ...versions];
  };
  return orFinding(subject, check(), signal);
}

const BACKUP = 'Restore this file from a backup; Keepsake never overwrites it.';

async function verifyL1(
  world: World,
  row: SessionRow,
  problem: (message: string, hint?: string) => Finding[],
): Promise<Finding[]> {
  if (row.l1.file === '') return [];
  const project = row.projectId;
  const hint = `Rebuild it: keepsake register ${row.sessionId}`;
  if ((await world.archive.files.size(project, row.l1.file)) === 0)
    return problem(`The refined transcript ${row.l1.file} is missing.`, hint);
  // No damage: what this version makes of the same original differs.
  if (isOutdated(row)) {
    const message = `The refined transcript ${row.l1.file} was made by an older version of Keepsake.`;
    return [
      {
        level: 'warning',
        subject: `${row.projectName} ${row.sessionId}`,
        message,
        hint: 'Run `keepsake sync`, then verify again.',
      },
    ];
  }
  if (await isRefinedAsStored(world, row)) return [];
  return problem(`The refined transcript ${row.l1.file} does not match the original.`, hint);
}

/** The files beside a session: its subagents' transcripts, long tool results. */
async function verifyBeside(world: World, row: SessionRow, subject: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const subs = row.metadata.subSessions.flatMap((sub) =>
    sub.file === undefined ? [] : [{ ...sub, file: sub.file }],
  );
  for (const beside of [...subs, ...(row.beside ?? [])]) {
    const wrong = await wrongBeside(world, row.projectId, beside);
    if (wrong) findings.push({ subject, ...wrong });
  }
  return findings;
}

async function wrongBeside(
  world: World,
  project: ProjectId,
  { file, bytes, hash }: { file: string; bytes: number; hash?: string | undefined },
): Promise<Omit<Finding, 'subject'> | undefined> {
  const name = file.replace(/^originals\//, '');
  const size = await world.archive.originals.size(project, name);
  const error = (message: string, hint = BACKUP) => ({ level: 'error' as const, message, hint });
  const again = `If the agent still has it, \`keepsake register ${name.split('/')[0]}\` archives it again; otherwise restore it from a backup.`;
  if (size === undefined) return error(`${file} is missing.`, again);
  if (size < bytes)
    return error(
      `${file} has ${size.toLocaleString('en')} bytes, but ${bytes.toLocaleString('en')} were recorded: its end is missing.`,
      again,
    );
  if (size > bytes) {
    const message = `${file} has ${size - bytes} bytes that are not recorded yet.`;
    return { level: 'warning', message, hint: 'Run `keepsake sync`, then verify again.' };
  }
  if (hash === undefined || (await world.archive.originals.hash(project, name)).hash === hash)
    return undefined;
  return error(`${file} was changed: its hash differs.`);
}

/** Copies that no session names: an interrupted sync leaves one, and the next takes it up. */
async function strays(world: World, rows: SessionRow[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const project of new Set(rows.map((row) => row.projectId))) {
    const known = new Set<string>(
      rows.filter((row) => row.projectId === project).map((row) => row.sessionId),
    );
    for (const name of await world.archive.originals.list(project)) {
      if (known.has(name.split('/')[0]!.replace(/\.jsonl$/, ''))) continue;
      const message = `originals/${name} belongs to no session.`;
      findings.push({ level: 'warning', subject: project, message, hint: 'Run `keepsake sync`.' });
    }
  }
  return findings;
}
