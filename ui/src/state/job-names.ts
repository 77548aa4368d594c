import { shallowReactive } from 'vue';
import { callApi } from '../api/call-api.ts';
import type { Job } from '../api/records.ts';
import { isModelWork } from '../text/job-text.ts';
import { nameOfProject } from './known-projects.ts';
import { titleOf } from './sessions.ts';

/** Titles of sessions and names of projects that jobs are about, by subject; empty while it is asked for. */
const names = shallowReactive(new Map<string, string>());

export function nameOfSubject(subject: string): string | undefined {
  return names.get(subject) || undefined;
}

const OF_SESSIONS = new Set([
  'compress',
  'prune',
  'register',
  'unregister',
  'sync',
  'summarize',
  'plan summary',
]);
const OF_PROJECTS = new Set([
  'synthesize',
  'plan synthesis',
  'check memory',
  'finish memory',
  'rotate memory',
  'summarize archives',
  'put archives away',
  'migrate memory',
  'refine',
  'dedupe',
  'decay',
  'undo decay',
]);
/** Their subject is a session's id alone, or words. */
const OF_EITHER = new Set(['plan purge', 'purge']);

/** Asks once what a job is about; what can't be named is shown by its own words. */
export async function learnName({ kind, subject }: Job): Promise<void> {
  const [, projectId = '', sessionId] = /^([^/\s]+)(?:\/([^/\s]+))?$/.exec(subject) ?? [];
  // Of what a model is asked for the subject is a session or a project, alone.
  const isOfEither = isModelWork(kind) || (OF_EITHER.has(kind) && isWholeId(subject));
  const isKnown = (sessionId === undefined ? OF_PROJECTS : OF_SESSIONS).has(kind) || isOfEither;
  if (names.has(subject) || projectId === '' || !isKnown) return;
  names.set(subject, '');
  try {
    if (sessionId !== undefined) names.set(subject, await title(projectId, sessionId));
    else if (isOfEither && isWholeId(subject)) names.set(subject, await title(undefined, subject));
    else names.set(subject, await projectName(projectId));
  } catch {
    // It is gone meanwhile.
  }
}

async function projectName(projectId: string): Promise<string> {
  const { displayName } = await callApi('get /api/memory/projects/{projectId}', { params: { projectId } });
  return nameOfProject(projectId, displayName);
}

function isWholeId(subject: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(subject);
}

async function title(projectId: string | undefined, sessionId: string): Promise<string> {
  const query = { project: projectId };
  return titleOf(await callApi('get /api/memory/sessions/{sessionId}', { params: { sessionId }, query }));
}
