import { shortIds } from '../../../app/find/session.ts';
import { withVerdicts } from '../../../app/search/hit-verdicts.ts';
import type { SearchHit } from '../../../app/search/hits.ts';
import type { SearchRequest } from '../../../app/search/request.ts';
import { search } from '../../../app/search/search.ts';
import { contextOf, exchangeOfHit } from '../../../app/search/snippet-context.ts';
import { versionsHolding } from '../../../app/search/versions-holding.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { L1Line } from '../../../core/model/l1.ts';
import { asksNothing, parseQuery, queryMatcher } from '../../../core/search/query.ts';
import type { Cli } from '../cli.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { conversation, l1Text } from './conversation.ts';
import { hitBlock } from './hit-block.ts';
import { projectNames } from './project-names.ts';

/** Searches once and prints hits, the lines around them, or a whole exchange. */
export async function printFound(
  cli: Cli,
  world: World,
  request: SearchRequest,
  options: { deep?: boolean; open?: number | true; reject?: number | true; why?: string },
): Promise<void> {
  const { console } = cli;
  const query = parseQuery(request.query);
  // Only stop-words and no filter: nothing can be found, and the newest would be no answer.
  const nothing = asksNothing(query) && Object.keys(request.filters ?? {}).length === 0;
  const { hits: found, notes } = nothing ? { hits: [], notes: [] } : await search(world, request);
  const hits = await withVerdicts(world, found);
  for (const note of notes) console.note(note);
  if (options.open !== undefined) return open(cli, world, pick(hits, options.open));
  if (options.reject !== undefined) return rejectHit(cli, world, pick(hits, options.reject), options.why);
  const around = async (hit: SearchHit) => (hit.kind === 'turn' ? contextOf(world, hit) : undefined);
  const contexts = options.deep ? await Promise.all(hits.map(around)) : [];
  const versions = await versionsHolding(world, hits);
  if (console.json) {
    const items = hits.map((hit, index) => ({
      ...hit,
      versions: versions[index] ?? [],
      ...(options.deep ? { context: contexts[index] ?? null } : {}),
    }));
    return console.printJson({ items, next: null });
  }
  if (hits.length === 0) {
    console.print(await nothingFound(world, request.query));
    const { notHeldHere } = await import('../../../app/segment/not-held.ts');
    for (const note of await notHeldHere(world)) console.note(note);
    return;
  }
  const matches = queryMatcher(query);
  const names = {
    projects: await projectNames(
      world,
      hits.map((hit) => hit.project),
    ),
    sessions: shortIds(hits.map((hit) => hit.sessionId)),
  };
  const width = console.width === undefined ? undefined : console.width - 3;
  const reading = { clock: world.clock, style: console.style, width };
  for (const [index, hit] of hits.entries()) {
    if (index > 0) console.print('');
    const of = { names, matches, clock: world.clock };
    const block = hitBlock({ ...hit, versions: versions[index] ?? [] }, index + 1, of, console);
    const context = contexts[index];
    const beside = (lines: L1Line[]) =>
      lines.flatMap((line) => l1Text(line, { ...reading, by: hit.by })).map((text) => `   ${text}`);
    const rendered =
      context === undefined
        ? block
        : [
            block[0]!,
            ...beside(context.before),
            ...block.slice(1, -1),
            ...beside(context.after),
            block.at(-1)!,
          ];
    console.print(...rendered);
  }
  const { files, onlyFiles } = request.filters ?? {};
  if (files !== undefined && files.length > 0)
    console.note(
      onlyFiles
        ? 'Searched only sessions that changed one of these files.'
        : 'Sessions that changed these files rank first; use --only-files to skip the others.',
    );
}

function pick(hits: SearchHit[], chosen: number | true): SearchHit {
  const number = chosen === true ? 1 : chosen;
  const hit = hits[number - 1];
  if (hit) return hit;
  throw new Fault('not-found', hits.length === 0 ? 'Nothing found.' : `There is no hit ${number}.`, {
    hint: hits.length === 0 ? 'Try other words.' : `There are ${hits.length} hits; use --limit for more.`,
  });
}

async function rejectHit({ console }: Cli, world: World, hit: SearchHit, why = ''): Promise<void> {
  if (hit.kind !== 'turn' || hit.sessionId === '')
    throw new Fault('usage', `A ${hit.kind} cannot be rejected with search.`, {
      hint: 'To reject a fact: `keepsake facts reject ID`. To edit notes and memory: `keepsake memory`.',
    });
  // It needs all that makes facts: a search does not.
  const { rejectMessage } = await import('../../../app/layers/facts-edit.ts');
  const { id } = await rejectMessage(world, hit, why);
  if (console.json) return console.printJson({ id, rejected: true, sessionId: hit.sessionId, src: hit.src });
  console.print(
    `Rejected: ${cleanLine(hit.snippet)}`,
    `\`keepsake facts undo ${console.style.accent(id)}\` undoes it.`,
  );
}

async function open(cli: Cli, world: World, hit: SearchHit): Promise<void> {
  const { console } = cli;
  if (hit.kind !== 'turn') return openDocument(cli, hit);
  const items = await exchangeOfHit(world, hit);
  const { sessionId, project, exchange, by } = hit;
  const whose = by === undefined ? {} : { by };
  if (console.json) return console.printJson({ sessionId, project, ...whose, exchange, items, next: null });
  console.print(
    console.style.dim(`${exchange.id}  session ${sessionId}  ${cleanLine(hit.title)}`.trimEnd()),
    '',
  );
  const reading = { clock: world.clock, style: console.style, width: console.width, ...whose };
  for (const line of items) {
    const spoken = line.role !== 'tool' && line.text !== undefined;
    console.print(...(spoken ? conversation([line], reading) : l1Text(line, reading)));
  }
}

function openDocument({ console }: Cli, hit: SearchHit): void {
  if (console.json) {
    console.printJson(hit);
    return;
  }
  const title = `${hit.kind}  ${cleanLine(hit.place.file)}  ${cleanLine(hit.title)}`;
  console.print(console.style.dim(title), '', ...cleanText(hit.text).split('\n'));
}

async function nothingFound(world: World, query: string): Promise<string> {
  if ((await world.archive.projects()).length === 0) return 'No sessions yet. Run `keepsake sync`.';
  const words = cleanLine(query).slice(0, 60);
  return `Nothing found${words === '' ? '' : ` for ${words}`}. Try fewer or other words, the beginning of one (auth*), or fewer filters.`;
}
