import { AGENTS_READ } from '../../core/model/agent.ts';
import type { Finding } from '../../ports/archive.ts';
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
      message: `${counted(unknown, 'file is', 'files are')} of no agent that Keepsake reads, and not kept: ${named(unknown)}.`,
      hint: AGENTS_READ,
    });
  return findings;
}

/** The list is of the last sync: some may be gone by now. */
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
