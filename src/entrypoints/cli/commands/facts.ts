import type { Command } from 'commander';
import {
  FACT_KINDS,
  type FactKind,
  type FactRow,
  findFact,
  listFacts,
  ME,
} from '../../../app/layers/facts.ts';
import { addFact, type Settlement, settleFact } from '../../../app/layers/facts-edit.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { SEMANTIC_TYPES } from '../../../core/model/semantic-types.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { parseChoice } from '../options/search.ts';
import { kindWords, printFact, sureness } from '../print/fact-details.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Column } from '../terminal/table.ts';
import { decideOffer, defineTeamFacts, verdictOptions } from './facts-team.ts';

type Options = {
  project?: string;
  kind?: FactKind;
  by?: string;
  candidates?: true;
  review?: true;
  rejected?: true;
  limit?: number;
  after?: string;
};

const PAGE = 50;
const ADDED = ['rule', ...SEMANTIC_TYPES] as const;

export const defineFacts: Define = (command, cli) => {
  command
    .option('--project <project>', 'only this project: id, path or name')
    .option('--kind <kind>', `only these: ${FACT_KINDS.join(', ')}`, parseChoice(...FACT_KINDS))
    .option('--by <name>', 'only facts of this author; `me` for yours')
    .option('--candidates', 'list candidates, which may become facts')
    .option('--review', 'only facts that need a review because they were contradicted')
    .option('--rejected', 'only facts that you rejected');
  pageOptions(command, PAGE);
  commonOptions(command);
  examples(
    command,
    'facts --project shop',
    'facts --candidates',
    'facts show r_0c1d2e3f4a',
    'facts add "Always run the linter before a commit."',
    'facts forget r_0c1d2e3f4a',
  );
  command.action(async (options: Options) => {
    await list(cli, options);
  });
  defineShow(command, cli);
  defineAdd(command, cli);
  defineSettle(
    command,
    cli,
    'confirm',
    "Confirm a fact. A candidate becomes a fact; someone else's fact becomes yours.",
  );
  defineSettle(command, cli, 'keep', 'End a review without a change.');
  defineCorrect(command, cli);
  defineSettle(
    command,
    cli,
    'forget',
    'Delete a fact for good. Rebuilding the memory does not bring it back.',
  );
  defineReject(command, cli);
  defineUndo(command, cli);
  defineReview(command, cli);
  defineTeamFacts(command, cli);
};

async function list(cli: Cli, options: Options): Promise<void> {
  const { console } = cli;
  const { project, kind, candidates, review, rejected, after, by } = options;
  const page = await listFacts(await cli.world({ layersOf: project }), {
    ...withoutUndefined({ project, kind, candidates, review, rejected, after, by }),
    limit: options.limit ?? PAGE,
  });
  if (console.json) return console.printJson({ items: page.items, next: page.next });
  if (page.items.length === 0) return console.print(noneOf(options));
  const { style } = console;
  const several = new Set(page.items.map((row) => row.projectId)).size > 1;
  const columns: Column<FactRow>[] = [
    { title: 'id', value: (row) => row.id, paint: style.accent },
    { title: 'kind', value: kindWords },
    { title: 'confidence', value: sureness, align: 'right', spare: 3 },
    { title: 'by', value: (row) => (row.by === ME ? '' : cleanLine(row.by)), spare: 1 },
    { title: 'state', value: stateOf, paint: style.warn, spare: 1 },
    { title: 'project', value: (row) => cleanLine(row.projectName), least: 8, spare: 2 },
    { title: 'fact', value: (row) => cleanLine(wordsOf(row)), least: 30 },
  ];
  console.table(
    page.items,
    columns.filter(({ title }) => {
      if (title === 'project') return several;
      if (title === 'by') return page.items.some((row) => row.by !== ME);
      return title !== 'state' || page.items.some((row) => stateOf(row) !== '');
    }),
  );
  console.noteMore(page, `facts${filters(options)}`, options, page.total);
}

/** The next page is one of the same list. */
function filters({ kind, by, candidates, review, rejected }: Options): string {
  return [
    ...(kind === undefined ? [] : [` --kind ${kind}`]),
    ...(by === undefined ? [] : [` --by=${JSON.stringify(by)}`]),
    ...(candidates ? [' --candidates'] : []),
    ...(review ? [' --review'] : []),
    ...(rejected ? [' --rejected'] : []),
  ].join('');
}

function noneOf({ candidates, review, rejected }: Options): string {
  if (rejected) return 'No rejected facts.';
  if (review) return 'No facts are waiting for a review.';
  if (candidates)
    return 'No candidates. A candidate is a sentence that becomes a fact when you repeat or confirm it.';
  return 'No facts yet. Add one with `keepsake facts add "..."`, or run `keepsake sync` to read new sessions.';
}

function wordsOf(row: FactRow): string {
  if (row.problem !== undefined) return `${row.problem} -> ${row.content}`;
  return row.feature === undefined ? row.content : `${row.feature}: ${row.content}`;
}

function stateOf(row: FactRow): string {
  if (row.rejected) return 'rejected';
  if (row.review) return 'review';
  if (row.stale !== undefined) return 'stale';
  return row.contradictions > 0 ? `${row.contradictions} against` : '';
}

function defineShow(command: Command, cli: Cli): void {
  const show = command.command('show').description('Show a fact with its sources and contradictions.');
  show.argument('<id>', 'an id or unique prefix').option('--project <project>', 'its project');
  commonOptions(show);
  examples(show, 'facts show r_0c1d2e3f4a');
  show.action(async (id: string, options: { project?: string }) => {
    const project = options.project ?? command.opts<Options>().project;
    const world = await cli.world({ layersOf: project });
    const row = await findFact(world, id, project);
    if (cli.console.json) cli.console.printJson(row);
    else printFact(row, world.clock, cli.console);
  });
}

function defineAdd(command: Command, cli: Cli): void {
  const add = command.command('add').description('Add a fact.');
  add
    .argument('<words...>', 'the sentence')
    .option('--kind <kind>', `${ADDED.join(', ')} (default: rule)`, parseChoice(...ADDED))
    .option('--project <project>', "a project: id, path or name (default: this folder's)");
  commonOptions(add);
  examples(
    add,
    'facts add "Never amend commits."',
    'facts add --kind fact "Prices are kept in cents." --project shop',
  );
  add.action(async (words: string[], options: { kind?: (typeof ADDED)[number]; project?: string }) => {
    const { kind, project } = { ...command.opts<Options>(), ...options };
    const row = await addFact(await cli.world(), {
      content: words.join(' '),
      ...withoutUndefined({ kind: kind as (typeof ADDED)[number] | undefined, project }),
    });
    if (cli.console.json) cli.console.printJson(row);
    else
      cli.console.print(
        `Remembered as ${cli.console.style.accent(row.id)} in ${cleanLine(row.projectName)}.`,
      );
  });
}

const DONE = {
  confirm: 'is confirmed',
  keep: 'stays as it is',
  forget: 'is forgotten',
  correct: 'is corrected',
  reject: 'is rejected',
} as const;

function defineSettle(
  command: Command,
  cli: Cli,
  action: 'confirm' | 'keep' | 'forget',
  about: string,
): void {
  const settle = command.command(action).description(about);
  settle.argument('<id>', 'an id or unique prefix').option('--project <project>', 'its project');
  commonOptions(settle);
  examples(settle, `facts ${action} r_0c1d2e3f4a`);
  settle.action((id: string, options: { project?: string }) =>
    run(command, cli, { id, action }, options.project),
  );
}

function defineCorrect(command: Command, cli: Cli): void {
  const correct = command.command('correct').description('Reword a fact. Its sources stay.');
  correct
    .argument('<id>', 'an id or unique prefix')
    .argument('<words...>', 'the new wording')
    .option('--project <project>', 'its project');
  commonOptions(correct);
  examples(correct, 'facts correct r_0c1d2e3f4a "Never amend commits that were pushed."');
  correct.action((id: string, words: string[], options: { project?: string }) =>
    run(command, cli, { id, action: 'correct', content: words.join(' ') }, options.project),
  );
}

function defineReject(command: Command, cli: Cli): void {
  const reject = command
    .command('reject')
    .description('Mark a fact as not true: memory stops stating it, and searches mark where it was said.');
  reject
    .argument('<id>', 'an id or unique prefix')
    .argument('[why...]', 'what is true instead, or why it is not true')
    .option('--project <project>', 'its project');
  commonOptions(reject);
  examples(reject, 'facts reject m_0c1d2e3f4a "We went back to npm."');
  reject.action((id: string, why: string[], options: { project?: string }) =>
    run(command, cli, { id, action: 'reject', note: why.join(' ') }, options.project),
  );
}

function defineReview(command: Command, cli: Cli): void {
  const review = command
    .command('review')
    .description(
      'Decide about facts one by one, most valuable first: contradicted facts, then unconfirmed ones.',
    );
  verdictOptions(review).option('--project <project>', 'only this project: id, path or name');
  pageOptions(review, PAGE);
  commonOptions(review);
  examples(
    review,
    'facts review',
    'facts review --project shop --limit 10',
    'facts review fe_0c1d2e --accept',
  );
  review.action(async (offer: string | undefined, options: Options) => {
    if (offer !== undefined) return decideOffer(cli, offer, { ...command.opts<Options>(), ...options });
    const { reviewFacts } = await import('../print/fact-review.ts');
    await reviewFacts(cli, { ...command.opts<Options>(), ...options });
  });
}

function defineUndo(command: Command, cli: Cli): void {
  const undo = command
    .command('undo')
    .description('Undo your last change to a fact: text, kind, confidence and date are as before.');
  undo.argument('<id>', 'an id or unique prefix').option('--project <project>', 'its project');
  commonOptions(undo);
  examples(undo, 'facts undo r_0c1d2e3f4a');
  undo.action(async (id: string, options: { project?: string }) => {
    const { undoFact } = await import('../../../app/layers/fact-review.ts');
    const project = options.project ?? command.opts<Options>().project;
    const undone = await undoFact(await cli.world({ layersOf: project }), id, project);
    if (cli.console.json) return cli.console.printJson(undone);
    const words = undone.after ? `: ${cleanLine(undone.after.content)}` : ': it is no longer a fact.';
    cli.console.print(`Undid ${undone.action} of ${cli.console.style.accent(undone.factId)}${words}`);
  });
}

async function run(
  command: Command,
  cli: Cli,
  { id, ...settlement }: Settlement & { id: string; action: keyof typeof DONE },
  project?: string,
): Promise<void> {
  const where = withoutUndefined({ project: project ?? command.opts<Options>().project });
  const settled = await settleFact(await cli.world({ layersOf: where.project }), id, settlement, where);
  if (cli.console.json)
    return cli.console.printJson(
      settled.after ?? {
        id: settled.before.id,
        ...(settlement.action === 'reject' ? { rejected: true } : { forgotten: true }),
      },
    );
  const row = settled.after ?? settled.before;
  cli.console.print(
    `${cli.console.style.accent(row.id)} ${DONE[settlement.action]}: ${cleanLine(row.content)}`,
  );
}
