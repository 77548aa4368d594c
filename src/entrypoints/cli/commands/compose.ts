import { compose } from '../../../app/compose/compose.ts';
import { type ComposeAsk, readsOf } from '../../../app/compose/request.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { OUTPUT_FORMATS, STRATEGIES } from '../../../core/model/composition.ts';
import { Fault } from '../../../core/model/fault.ts';
import { commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { allocationList, recompressList, sessionList } from '../options/compose.ts';
import { fileList, parseChoice, parseDayOrTime } from '../options/search.ts';
import { printComposition, showComposing } from '../print/compose-report.ts';
import { cleanText } from '../terminal/clean-text.ts';

/** What fits beside the work in the window of any agent of today. */
const BUDGET = 16_000;

type Options = Omit<ComposeAsk, 'allocations' | 'budget'> & {
  budget?: number;
  allocate?: Record<string, number>;
  preview?: boolean;
  markdown?: boolean;
  force?: boolean;
  resume?: boolean;
};

export const defineCompose: Define = (command, cli) => {
  command
    .argument('<name>', 'name of the composition')
    .option('--budget <tokens>', `maximum tokens, including headings (default: ${BUDGET})`, parseWholeNumber)
    .option(
      '--sessions <list>',
      'comma-separated: ID, ID:original, ID:part1_v002+part2_v001, current',
      sessionList,
    )
    .option('--latest <n>', 'the newest n sessions of this project', parseWholeNumber)
    .option('--linked', 'sessions linked to this project (`keepsake links`)')
    .option('--strategy <how>', `${STRATEGIES.join(', ')} (default: recency)`, parseChoice(...STRATEGIES))
    .option('--allocate <list>', 'tokens by session: 4f2a=3000,9c1d=8000', allocationList)
    .option(
      '--recompress <list>',
      'compress again: 4f2a=aggressive, 4f2a=20, 4f2a=preset:gentle',
      recompressList,
    )
    .option(
      '--topic <words>',
      'prefer text about this topic; without sessions, choose the best matching ones',
    )
    .option('--files <a,b>', 'prefer text about these files', fileList(cli.host.environment.cwd))
    .option('--branch <branch>', 'prefer text about this branch')
    .option('--format <format>', 'markdown, jsonl or both (default: both)', parseChoice(...OUTPUT_FORMATS))
    .option(
      '--min-freshness <n>',
      'skip versions made when their session was more than n sessions ago (1 fresh, 10 stale)',
      parseWholeNumber,
    )
    .option('--as-of <date>', 'use memory as of the end of this day', parseDayOrTime)
    .option('--resume', 'also write a new session for `claude --resume` in this directory')
    .option('--preview', 'show the result, store nothing')
    .option('--markdown', 'print the text')
    .option('--force', 'overwrite a composition of the same name')
    .option('--project <project>', 'its project (default: that of its first session)')
    .addHelpText(
      'after',
      '\nRecent sessions are included in detail, older ones in essentials, pinned text (##keepit1.00##) in full. Text that\n' +
        'several sessions share is included once; text that a later session withdrew is left out. Versions that a model wrote or\n' +
        'that you made by hand are used if they fit. No versions are stored.',
    );
  commonOptions(command);
  examples(
    command,
    'compose basket --latest 5',
    'compose basket --budget 8000 --sessions 4f2a91c0,9c1d22ab:original --preview',
    'compose basket --budget 20000 --latest 10 --topic "rounding of prices" --resume',
  );
  command.action(async (name: string, options: Options) => {
    const { console } = cli;
    const { preview, markdown, force, resume, allocate, ...rest } = options;
    const ask = {
      ...withoutUndefined({ ...rest, allocations: allocate }),
      budget: options.budget ?? BUDGET,
    } as ComposeAsk;
    const world = await cli.world(readsOf(ask));
    const how = withoutUndefined({ preview, force, resume: preview ? undefined : resume });
    const run = (force?: true) =>
      showComposing(cli, (watched) =>
        compose(world, name, ask, { ...how, ...watched, ...withoutUndefined({ force }) }),
      );
    const done = await run().catch(async (error: unknown) => {
      if (!(error instanceof Fault) || !error.canForce || !console.interactive) throw error;
      if (!(await console.confirm(`${error.message} Overwrite it?`, false))) return undefined;
      return run(true);
    });
    if (!done) return console.print('Nothing was changed.');
    for (const note of done.notes) console.note(note);
    if (console.json) return console.printJson(done);
    if (markdown)
      return void process.stdout.write(
        console.width === undefined ? done.markdown : cleanText(done.markdown),
      );
    printComposition(console, done, preview === true);
  });
};
