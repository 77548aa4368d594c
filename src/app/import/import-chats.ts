import { AGENTS_READ } from '../../core/model/agent.ts';
import { authorName } from '../../core/model/author-name.ts';
import { Fault } from '../../core/model/fault.ts';
import { type SessionId, sessionIdFromName } from '../../core/model/ids.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { identifyFile, stem } from '../intake/identify-file.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { layersAfter } from '../layers/sync.ts';
import { orFault } from '../or-fault.ts';
import { finishPurgesFirst } from '../purge/finish.ts';
import { finishLeaving } from '../purge/session.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { namedProject, type Registered, withoutPurgedSessions } from '../sync/register.ts';
import {
  newReport,
  type RunOptions,
  type SyncReport,
  unknownAgentProblem,
  unreadableProblem,
} from '../sync-report.ts';
import type { World } from '../world.ts';

export type ImportOptions = RunOptions & {
  /** What is no chat is refused whether or not it is named. */
  project: string | undefined;
  /** Whose chats they are; without it this user's own. */
  by?: string | undefined;
};

/** A file or folder of generic chats becomes sessions of one project, each named after its file. */
export async function importChats(world: World, path: string, options: ImportOptions): Promise<Registered> {
  const report: Registered = { ...newReport(), sessions: [] };
  const files = await chatFiles(world, path, report);
  const names = sessionNames(path, files);
  const { project: name } = options;
  if (name === undefined)
    throw new Fault('usage', 'Missing project: give the project of the chats with --project NAME.', {
      hint: 'Only bundles of `keepsake export` need no project.',
    });
  await finishPurgesFirst(world, options.signal);
  const project = await namedProject(world, name);
  await ingestFiles(world, files, report, {
    ...options,
    by: options.by === undefined ? undefined : authorName(options.by),
    explicit: true,
    onBack: (ref) => finishLeaving(world, ref),
    byName: true,
    projectOf: () => (project.project ? project : { ...project, displayName: name }),
    sessionOf: (file) => names.get(file.path),
    onIngested: (projectId, sessionId) => report.sessions.push({ projectId, sessionId }),
  });
  report.sessions = await withoutPurgedSessions(world, report.sessions);
  await layersAfter(world, report.sessions, { report, signal: options.signal });
  report.notes.push(...(await bringIndexUp(world)));
  return report;
}

/** The content decides what is imported; an agent's transcript is registered instead. */
async function chatFiles(world: World, path: string, report: SyncReport): Promise<FoundTranscript[]> {
  const found = await world.transcripts.inspect(path);
  if (found === undefined)
    throw new Fault('not-found', `File or folder not found: ${path}.`, { hint: 'Check the path.' });
  const unreadable: string[] = [];
  const files = found === 'folder' ? await world.transcripts.find(path, unreadable) : [found];
  report.problems.push(...unreadable.map(unreadableProblem));
  const chats: FoundTranscript[] = [];
  for (const file of files) {
    // One that can't be read is tried again, and then reported, when it is imported.
    const identity = await orFault(identifyFile(world, file.path));
    const agent = identity instanceof Fault ? 'unreadable' : identity?.agent;
    if (agent === 'generic' || agent === 'unreadable') chats.push(file);
    else if (agent)
      report.notes.push(
        `${file.path} is an agent session and was skipped. To add it: keepsake register ${file.path}`,
      );
    else if (file.size > 0) {
      report.leftOut.unknownAgent++;
      report.problems.push(unknownAgentProblem(file.path));
    }
  }
  if (chats.length > 0) return chats;
  throw new Fault('bad-input', `${path} contains no chats that Keepsake can import.`, {
    hint: `${AGENTS_READ} To add an agent session, run \`keepsake register PATH\`.`,
  });
}

/** The file's own name; with its folders where two files have one name. */
function sessionNames(root: string, files: FoundTranscript[]): Map<string, SessionId> {
  const times = new Map<string, number>();
  for (const file of files) times.set(stem(file.path), (times.get(stem(file.path)) ?? 0) + 1);
  return new Map(
    files.map((file) => {
      const below = file.path
        .slice(root.length)
        .replace(/^[\\/]+/, '')
        .replace(/\.jsonl$/, '');
      const name = times.get(stem(file.path)) === 1 ? stem(file.path) : below.replace(/[\\/]+/g, '-');
      return [file.path, sessionIdFromName(name)];
    }),
  );
}
