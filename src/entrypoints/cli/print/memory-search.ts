import type { Command } from 'commander';
import { shortIds } from '../../../app/find/session.ts';
import { projectsOf } from '../../../app/repository/repositories.ts';
import { type MemoryHit, searchMemory } from '../../../app/search/rolling.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { ProjectId } from '../../../core/model/ids.ts';
import { parseQuery, queryMatcher } from '../../../core/search/query.ts';
import { type Cli, examples, parseWholeNumber } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { hitBlock } from './hit-block.ts';
import { memoryAt, memoryWord, type ProjectOption } from './memory-words.ts';
import { projectNames } from './project-names.ts';

type Options = ProjectOption & { deep?: true; all?: true; limit?: number };

const INDENT = '   ';

/** `memory search`. */
export function defineMemorySearch(command: Command, cli: Cli): void {
  const { console } = cli;
  const search = memoryWord(
    command,
    'search',
    'Search memory.md, its archives and summaries, notes, facts and concepts.',
  )
    .argument('<words...>', 'words, "a phrase", -exclude, prefix*')
    .option('--deep', 'also search the sessions')
    .option('--all', 'in every project')
    .option('--limit <n>', 'maximum number of each (default: 10)', parseWholeNumber);
  examples(
    search,
    'memory search token cache',
    'memory search rounding --deep',
    'memory search deploy --all',
  );
  search.action(async (words: string[], options: Options) => {
    const query = words.join(' ');
    if (query.trim() === '') throw new Fault('usage', 'keepsake memory search: missing query.');
    const { world, projects } = await where(cli, options);
    const request = { query, projects, ...withoutUndefined({ limit: options.limit, deep: options.deep }) };
    const { hits, sessions, notes } = await searchMemory(world, request);
    for (const note of notes) console.note(note);
    if (console.json) return console.printJson({ items: hits, sessions, next: null });
    if (hits.length + sessions.length === 0) {
      const deeper = options.deep ? '' : ' Use --deep to search the sessions too.';
      return console.print(`Nothing found for ${cleanLine(query).slice(0, 60)}.${deeper}`);
    }
    const matches = queryMatcher(parseQuery(query));
    const names = await projectNames(world, projects);
    for (const [index, hit] of hits.entries()) {
      if (index > 0) console.print('');
      console.print(...block(cli, hit, index + 1, names));
    }
    if (sessions.length === 0) return;
    console.print(...(hits.length > 0 ? [''] : []), console.style.strong('In the sessions'), '');
    const ids = { projects: names, sessions: shortIds(sessions.map((hit) => hit.sessionId)) };
    const of = { names: ids, matches, clock: world.clock };
    for (const [index, hit] of sessions.entries()) console.print(...hitBlock(hit, index + 1, of, console));
  });
}

async function where(cli: Cli, options: Options): Promise<{ world: World; projects: ProjectId[] }> {
  const reads = options.deep ? 'index' : 'nothing';
  if (options.all) {
    const world = await cli.world(reads);
    return { world, projects: await world.archive.projects() };
  }
  const { world, project } = await memoryAt(cli, options, reads);
  return { world, projects: await projectsOf(world, project) };
}

function block(cli: Cli, hit: MemoryHit, number: number, names: Map<string, string>): string[] {
  const { style, width } = cli.console;
  const several = names.size > 1 ? [style.strong(cleanLine(names.get(hit.project) ?? hit.project))] : [];
  const head = [
    String(number).padStart(2),
    ...several,
    style.accent(hit.file.replace(/^memory\//, '')),
    cleanLine(hit.title),
    style.dim(hit.score.toFixed(2)),
  ];
  const room = width === undefined ? undefined : Math.max(20, width - INDENT.length - 1);
  return [head.join('  '), ...wrapText(cleanLine(hit.snippet), room).map((line) => INDENT + line)];
}
