import type { Command } from 'commander';
import { acceptConceptEdit, reviewConcepts } from '../../../app/layers/concept-reviews.ts';
import { findConcept, listConcepts } from '../../../app/layers/concepts.ts';
import { mergeConcepts, renameConcept, splitConcept } from '../../../app/layers/concepts-edit.ts';
import type { ConceptRow } from '../../../app/layers/join-concepts.ts';
import { conceptExchanges } from '../../../app/layers/read.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { printPairs } from '../print/session-details.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

type Options = { project?: string; limit?: number; after?: string };

const PAGE = 50;

export const defineConcepts: Define = (command, cli) => {
  command.option('--project <project>', 'only this project: id, path or name');
  pageOptions(command, PAGE);
  commonOptions(command);
  examples(
    command,
    'concepts --project shop',
    'concepts show c_0c1d2e3f4a',
    'concepts merge c_0c1d2e3f4a c_4a3f2e1d0c --name "Basket"',
    'concepts rename c_0c1d2e3f4a "Basket"',
    'concepts review',
  );
  command.action(async (options: Options) => {
    const { console } = cli;
    const page = await listConcepts(await cli.world({ layersOf: options.project }), {
      ...withoutUndefined({ project: options.project, after: options.after }),
      limit: options.limit ?? PAGE,
    });
    if (console.json) return console.printJson({ items: page.items, next: page.next });
    if (page.items.length === 0) return console.print('No concepts yet. Run `keepsake sync`.');
    const several = new Set(page.items.map((row) => row.projectId)).size > 1;
    const columns: Column<ConceptRow>[] = [
      { title: 'id', value: (row) => row.id, paint: console.style.accent },
      { title: 'exchanges', value: (row) => String(row.exchanges.length), align: 'right', spare: 1 },
      { title: 'updated', value: (row) => row.updated, spare: 2 },
      { title: 'state', value: stateOf, paint: console.style.warn, spare: 3 },
      { title: 'project', value: (row) => cleanLine(row.projectName), least: 8, spare: 5 },
      { title: 'concept', value: (row) => cleanLine(row.name), paint: console.style.strong, least: 20 },
      {
        title: 'keywords',
        value: (row) => cleanLine(row.keywords.slice(0, 6).join(', ')),
        least: 20,
        spare: 4,
      },
    ];
    console.table(
      page.items,
      columns.filter(({ title }) => {
        if (title === 'project') return several;
        return title !== 'state' || page.items.some((row) => stateOf(row) !== '');
      }),
    );
    console.noteMore(page, 'concepts', options, page.total);
  });
  defineShow(command, cli);
  defineMerge(command, cli);
  defineSplit(command, cli);
  defineRename(command, cli);
  defineReview(command, cli);
};

function stateOf(row: ConceptRow): string {
  return [row.stale === undefined ? '' : 'stale', row.edited ? 'edited' : ''].filter(Boolean).join(', ');
}

type Chosen = { project?: string; name?: string };

function defineShow(command: Command, cli: Cli): void {
  const show = command.command('show').description('Show a concept with its exchanges.');
  show.argument('<concept>', 'its id or name').option('--project <project>', 'its project');
  commonOptions(show);
  examples(show, 'concepts show c_0c1d2e3f4a', 'concepts show "Basket"');
  show.action(async (concept: string, options: Chosen) => {
    const { console } = cli;
    const { project } = chosen(command, options);
    const world = await cli.world({ layersOf: project });
    const row = await findConcept(world, concept, project);
    const exchanges = await conceptExchanges(world, row);
    if (console.json) return console.printJson({ ...row, records: exchanges });
    printPairs(console, [
      ['concept', console.style.strong(cleanLine(row.name))],
      ['id', row.id],
      ['project', `${cleanLine(row.projectName)}  ${console.style.dim(row.projectId)}`],
      ['summary', cleanLine(row.summary)],
      ['keywords', row.keywords.map(cleanLine).join(', ')],
      ['files', row.files.map(cleanLine).join(', ')],
      ['updated', row.updated],
      ['by', (row.by ?? []).map(cleanLine).join(', ')],
      ['stale', row.stale === undefined ? '' : console.style.warn(cleanLine(row.stale))],
    ]);
    console.print(
      '',
      console.style.dim(
        `${plural(exchanges.length, 'exchange')} of ${plural(row.sessions.length, 'session')}`,
      ),
    );
    console.table(exchanges, [
      { title: 'id', value: (it) => it.id, paint: console.style.accent },
      { title: 'time', value: (it) => world.clock.local(it.ts), spare: 1 },
      { title: 'outcome', value: (it) => it.outcome, spare: 2 },
      { title: 'summary', value: (it) => cleanLine(it.summary), least: 30 },
    ]);
  });
}

function defineMerge(command: Command, cli: Cli): void {
  const merge = command.command('merge').description('Merge several concepts of a project into one.');
  merge
    .argument('<concepts...>', 'ids or names')
    .option('--name <name>', 'its name (default: the name of the first)')
    .option('--project <project>', 'their project');
  commonOptions(merge);
  examples(
    merge,
    'concepts merge c_0c1d2e3f4a c_4a3f2e1d0c',
    'concepts merge "Basket" "Cart" --name "Basket"',
  );
  merge.action(async (texts: string[], options: Chosen) => {
    const where = chosen(command, options);
    const world = await cli.world({ layersOf: where.project });
    printConcept(cli, await mergeConcepts(world, texts, where), 'now contains them all');
  });
}

function defineSplit(command: Command, cli: Cli): void {
  const split = command.command('split').description('Move exchanges of a concept into a new concept.');
  split
    .argument('<concept>', 'its id or name')
    .argument('<exchanges...>', 'ids of the exchanges to move')
    .option('--name <name>', 'name of the new concept')
    .option('--project <project>', 'its project');
  commonOptions(split);
  examples(split, 'concepts split c_0c1d2e3f4a ex_0c1d2e3f4a5b --name "Checkout"');
  split.action(async (concept: string, exchanges: string[], options: Chosen) => {
    const where = chosen(command, options);
    const world = await cli.world({ layersOf: where.project });
    printConcept(cli, await splitConcept(world, concept, exchanges, where), 'is a new concept');
  });
}

function defineRename(command: Command, cli: Cli): void {
  const rename = command.command('rename').description('Rename a concept.');
  rename
    .argument('<concept>', 'its id or name')
    .argument('<name>', 'the new name')
    .option('--project <project>', 'its project');
  commonOptions(rename);
  examples(rename, 'concepts rename c_0c1d2e3f4a "Basket"');
  rename.action(async (concept: string, name: string, options: Chosen) => {
    const { project } = chosen(command, options);
    const world = await cli.world({ layersOf: project });
    printConcept(cli, await renameConcept(world, concept, name, project), 'is the new name');
  });
}

function defineReview(command: Command, cli: Cli): void {
  const { console } = cli;
  const review = command
    .command('review')
    .description('List concept edits from imported bundles. They have no effect until you accept them.')
    .option('--by <name>', 'only edits of this person')
    .option('--project <project>', 'only this project: id, path or name');
  commonOptions(review);
  examples(review, 'concepts review', 'concepts review --by Kim');
  review.action(async (options: { by?: string; project?: string }) => {
    const { project } = chosen(command, options);
    const world = await cli.world({ layersOf: project });
    const items = await reviewConcepts(world, { by: options.by, project });
    if (console.json) return console.printJson({ items, next: null });
    if (items.length === 0) return console.print('No edits are waiting.');
    console.table(items, [
      { title: 'edit', value: (it) => it.editId, paint: console.style.accent },
      { title: 'time', value: (it) => world.clock.local(it.at), spare: 2 },
      { title: 'by', value: (it) => cleanLine(it.by) },
      { title: 'via', value: (it) => it.via, spare: 4 },
      { title: 'what', value: (it) => it.action },
      { title: 'concept', value: (it) => cleanLine(it.concept), least: 16, spare: 1 },
      { title: 'name', value: (it) => cleanLine(it.name), least: 16 },
      { title: 'project', value: (it) => cleanLine(it.projectName), least: 8, spare: 3 },
    ]);
    console.note('To accept one: `keepsake concepts accept EDIT`.');
  });

  const accept = command.command('accept').description('Accept an edit of someone else.');
  accept
    .argument('<edit>', 'its id, as `concepts review` lists it')
    .option('--project <project>', 'its project');
  commonOptions(accept);
  examples(accept, 'concepts accept ce_0c1d2e3f4a5b');
  accept.action(async (edit: string, options: { project?: string }) => {
    const { project } = chosen(command, options);
    const done = await acceptConceptEdit(await cli.world({ layersOf: project }), edit, project);
    if (console.json) return console.printJson(done);
    if (done.concept)
      return printConcept(cli, done.concept, `now has the accepted edit of ${cleanLine(done.review.by)}`);
    console.print('Accepted. Its exchanges are not in this archive, so nothing changes yet.');
  });
}

function chosen(command: Command, options: Chosen): Chosen {
  return withoutUndefined({
    project: options.project ?? command.opts<Options>().project,
    name: options.name,
  });
}

function printConcept(cli: Cli, row: ConceptRow, what: string): void {
  if (cli.console.json) cli.console.printJson(row);
  else
    cli.console.print(
      `${cleanLine(row.name)} (${row.id}, ${plural(row.exchanges.length, 'exchange')}) ${what}.`,
    );
}
