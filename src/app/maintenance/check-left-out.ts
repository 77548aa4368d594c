import { AGENTS_READ } from '../../core/model/agent.ts';
import type { Finding } from '../../ports/archive.ts';
import { listKeptOut } from '../find/kept-out.ts';
import { leftOutFor, loadSources } from '../intake/source-cache.ts';
import type { World } from '../world.ts';

const NAMED = 3;

/** Files that the last sync found and did not keep, each with its reason. */
export async function checkLeftOut(world: World): Promise<Finding[]> {
  const sources = await loadSources(world);
  const findings: Finding[] = [];
  const unknown = await existing(world, leftOutFor(sources, 'unknownAgent'));
  if (unknown.length > 0)
    findings.push({
      level: 'warning',
      subject: 'unknown agents',
      message: `${counted(unknown, 'file is', 'files are')} not from an agent that Keepsake supports, and not archived: ${named(unknown)}.`,
      hint: AGENTS_READ,
    });
  findings.push(...(await notRecorded(world, await existing(world, leftOutFor(sources, 'notRecorded')))));
  return findings;
}

/** No fault of anyone's: it was asked for. But who wonders where a session is finds it here. */
async function notRecorded(world: World, files: string[]): Promise<Finding[]> {
  const { record, projects, sessions } = await listKeptOut(world);
  if (record && projects.length + sessions.length + files.length === 0) return [];
  const parts = [
    record ? '' : 'recording is off for all projects without a setting of their own',
    projects.length > 0
      ? `projects ${projects.map((it) => `${it.displayName} (${it.by === 'marker' ? it.at : 'setting'})`).join(', ')}`
      : '',
    sessions.length > 0 ? `sessions ${sessions.map((it) => it.sessionId).join(', ')}` : '',
    files.length > 0 ? `${counted(files, 'agent file', 'agent files')} skipped: ${named(files)}` : '',
  ];
  return [{ level: 'ok', subject: 'not recorded', message: `${parts.filter(Boolean).join('; ')}.` }];
}

/** The list is of the last sync: some may be gone now. */
async function existing(world: World, paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => world.transcripts.inspect(path)));
  return paths.filter((_, index) => found[index] !== undefined);
}

function counted(list: string[], one: string, many: string): string {
  return `${list.length.toLocaleString('en-US')} ${list.length === 1 ? one : many}`;
}

function named(paths: string[]): string {
  const more = paths.length - NAMED;
  return paths.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
