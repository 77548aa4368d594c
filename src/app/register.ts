import { Fault } from '../core/model/fault.ts';
import { type ProjectId, type SessionId, toSessionId } from '../core/model/ids.ts';
import type { FoundTranscript } from '../ports/transcripts.ts';
import { identifyFile, stem } from './identify-file.ts';
import { originalName } from './session-ref.ts';
import { allSessions } from './sessions.ts';
import { seedOf } from './sync.ts';
import { newReport, type RunOptions, type SyncReport } from './sync-report.ts';
import { takeInAll } from './take-in-all.ts';
import type { World } from './world.ts';

export type Registered = SyncReport & { sessions: { projectId: ProjectId; sessionId: SessionId }[] };

export type RegisterOptions = RunOptions & { project?: string };

/** Registers a session by its id, a transcript by its path, every transcript of a folder, or all there are. */
export async function register(
  world: World,
  target: string | { all: true },
  options: RegisterOptions = {},
): Promise<Registered> {
  const report: Registered = { ...newReport(), sessions: [] };
  const files = typeof target === 'string' ? await targeted(world, target) : await everywhere(world);
  await takeInAll(world, files, report, {
    ...options,
    explicit: true,
    projectOf: (file, identity) =>
      options.project && !identity.cwd ? { path: options.project } : seedOf(file, identity),
    onTaken: (projectId, sessionId) => report.sessions.push({ projectId, sessionId }),
  });
  const [problem] = report.problems;
  if (report.sessions.length === 0 && problem) {
    throw new Fault('bad-input', problem.message, problem.hint ? { hint: problem.hint } : {});
  }
  return report;
}

async function everywhere(world: World): Promise<FoundTranscript[]> {
  const files: FoundTranscript[] = [];
  for (const folder of world.places.claudeProjects) files.push(...(await world.transcripts.find(folder, [])));
  return files;
}

async function targeted(world: World, target: string): Promise<FoundTranscript[]> {
  const found = await world.transcripts.look(target);
  if (found === 'folder') {
    const files = await world.transcripts.find(target, []);
    if (files.length > 0) return files;
    throw new Fault('not-found', `No transcript (.jsonl) lies below ${target}.`, {
      hint: 'Give a folder that holds session files.',
    });
  }
  if (found) return [found];
  if (/[\\/]/.test(target) || target.endsWith('.jsonl')) {
    throw new Fault('not-found', `There is no file ${target}.`, {
      hint: 'Check the path; `keepsake register --all` takes every session.',
    });
  }
  return byId(world, target);
}

/** By name first; half of the files are named otherwise than their session, so the lines decide for the rest. */
async function byId(world: World, id: string): Promise<FoundTranscript[]> {
  toSessionId(id);
  const files = await everywhere(world);
  const named = files.filter((file) => stem(file.path).includes(id));
  if (named.length > 0) return one(named, id);
  const matching: FoundTranscript[] = [];
  for (const file of files) {
    const identity = await identifyFile(world, file.path).catch(() => undefined);
    if (identity?.session.startsWith(id)) matching.push(file);
  }
  if (matching.length > 0) return one(matching, id);
  return archived(world, id);
}

/** The agent has deleted its file: the archive's own copy is read anew. */
async function archived(world: World, id: string): Promise<FoundTranscript[]> {
  const found = (await allSessions(world)).filter((session) => session.sessionId.startsWith(id));
  const [row] = found;
  if (row && found.length === 1) {
    const name = originalName(row.sessionId as SessionId);
    const copy = await world.transcripts.look(world.archive.originals.path(row.projectId as ProjectId, name));
    if (copy && copy !== 'folder') return [copy];
  }
  throw new Fault('not-found', `No session ${id} was found in ${world.places.claudeProjects.join(', ')}.`, {
    hint: 'Give the path of its file, or `keepsake register --all`.',
  });
}

function one(files: FoundTranscript[], id: string): FoundTranscript[] {
  const stems = new Set(files.map((file) => stem(file.path).replace(/^\d{4}-\d\d-\d\d-/, '')));
  if (stems.size === 1) return files;
  throw new Fault('ambiguous', `${id} fits ${stems.size} sessions: ${[...stems].slice(0, 5).join(', ')}.`, {
    hint: 'Give more of the id.',
  });
}
