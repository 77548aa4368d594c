import { planSynthesis, type SynthesisPlan, saveSynthesis } from '../../../app/journal/synthesize.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { writtenMaster } from '../print/journal-model.ts';
import { diffLines, readNamedText } from '../print/journal-review.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';

type Options = {
  project?: string;
  scope?: string;
  full?: true;
  budget?: number;
  from?: string;
  model?: string;
  print?: true;
  diff?: true;
  dryRun?: true;
  approve?: true;
  yes?: true;
};

const MOST_BYTES = 2 << 20;

export const defineSynthesize: Define = (command, cli) => {
  command
    .option('--full', 'start from scratch, without text from deleted pages')
    .option(
      '--budget <tokens>',
      'maximum tokens (default: the setting synthesis.maxTokens)',
      parseWholeNumber,
    )
    .option('--diff', 'show the changes')
    .option('--dry-run', 'save nothing')
    .option('--print', 'print it, do not save')
    .option('--from <file>', 'save this text instead of an offline one; - reads stdin')
    .option('--model <model>', 'let a model write it: opus, sonnet, haiku or a model id; extractive: offline')
    .option('--scope <name>', 'use _memory/NAME/, for a part of the project')
    .option('--approve', 'use a _memory/ that came with the project; read it first')
    .option('--project <project>', 'a project: id, path or name')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nCombines all pages of _memory/conversations/ into _memory/master.md: status, decisions with reasons, lessons,\nchanges and open questions, by theme, checked against the current state of the project.\nEvery line names its conversations. Your lines stay.',
    );
  commonOptions(command);
  examples(command, 'synthesize', 'synthesize --diff --dry-run', 'synthesize --full --budget 6000');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world({ layersOf: options.project });
    const text =
      options.from === undefined
        ? await writtenMaster(cli, options)
        : await readNamedText(cli, options.from, MOST_BYTES);
    const made = await planSynthesis(
      world,
      withoutUndefined({
        project: options.project,
        scope: options.scope,
        full: options.full,
        budget: options.budget,
        approve: options.approve,
        text,
      }),
    );
    const { plan, journal, notes } = made;
    for (const note of notes) console.note(note);
    const keeps = options.print || options.dryRun;
    if (options.print && !console.json) return console.print(cleanText(plan.text).trimEnd());
    if (!keeps && !(await isApproved(cli, made, options))) return console.print('Nothing was saved.');
    const saves = !keeps && (!plan.same || made.fresh.length > 0);
    if (saves) await saveSynthesis(world, made, options.scope);
    if (console.json) return console.printJson(answer(made, saves, options));
    if (options.diff) console.print(...diffLines(plan.diff, cli), '');
    console.print(
      reportText(made, saves, keeps === true),
      `${plan.same ? 'Unchanged' : saves ? 'Saved' : 'Would be saved'}: ${journal.root}/${plan.name}`,
    );
  });
};

async function isApproved(cli: Cli, { plan }: SynthesisPlan, options: Options): Promise<boolean> {
  if (options.yes || !cli.console.interactive || plan.same) return true;
  cli.console.print(
    ...(plan.before === undefined ? [cleanText(plan.text).trimEnd()] : diffLines(plan.diff, cli)),
    '',
  );
  return cli.console.confirm(`Save it as ${plan.name}?`, true);
}

function reportText(
  { fresh, conversations, docs, told: included, left, tokens, budget }: SynthesisPlan,
  saved: boolean,
  dry: boolean,
): string {
  const of = `${plural(conversations, 'conversation')} (${fresh.length} new), ${plural(docs, 'document')}`;
  const room = left === 0 ? '' : `, ${count(left)} did not fit and stay in their pages`;
  return `${of}: ${plural(included, 'item')}${room}; ${count(tokens)} of ${count(budget)} tokens${saved || dry ? '' : ', nothing to save'}.`;
}

function answer(made: SynthesisPlan, saved: boolean, options: Options): Record<string, unknown> {
  const { plan, journal, ...figures } = made;
  return {
    file: plan.name,
    root: journal.root,
    saved,
    own: plan.own,
    ...figures,
    text: plan.text,
    ...(options.diff ? { diff: plan.diff } : {}),
  };
}
