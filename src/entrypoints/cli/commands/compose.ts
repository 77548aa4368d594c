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
    .argument('<name>', 'what it shall be called')
    .option(
      '--budget <tokens>',
      `at most so many tokens, headings included (default: ${BUDGET})`,
      parseWholeNumber,
    )
    .option('--sessions <list>', 'ID, ID:original, ID:part1_v002+part2_v001, current; by commas', sessionList)
    .option('--latest <n>', 'the newest sessions of this project, oldest of them first', parseWholeNumber)
    .option('--linked', 'sessions that `keepsake links` shares with this project')
    .option('--strategy <how>', `${STRATEGIES.join(', ')} (default: recency)`, parseChoice(...STRATEGIES))
    .option('--allocate <list>', 'tokens by session: 4f2a=3000,9c1d=8000', allocationList)
    .option('--recompress <list>', 'made anew: 4f2a=aggressive, 4f2a=20, 4f2a=preset:gentle', recompressList)
    .option(
      '--topic <words>',
      'what it is wanted for: turns that fit it come first; without sessions, those of all that fit best',
    )
    .option('--files <a,b>', 'files it is wanted for', fileList(cli.host.environment.cwd))
    .option('--branch <branch>', 'a branch it is wanted for')
    .option('--format <format>', 'markdown, jsonl or both (default: both)', parseChoice(...OUTPUT_FORMATS))
    .option(
      '--min-freshness <n>',
      'take no version made when its session was more than so many sessions ago: 1 is fresh, 10 stale',
      parseWholeNumber,
    )
    .option('--as-of <date>', 'as memory stood at the end of that day', parseDayOrTime)
    .option('--resume', 'also as a new session that `claude --resume` opens in this directory')
    .option('--preview', 'say what would come out, store nothing')
    .option('--markdown', 'print the text')
    .option('--force', 'in the place of a composition of the same name')
    .option('--project <project>', "where it is kept (default: its first session's)")
    .addHelpText(
      'after',
      '\nRecent sessions are included in detail, old ones in essentials; what is pinned (##keepit1.00##) in full. What\n' +
        'several sessions say is included once; what a later one took back is left out. Versions that a model wrote or\n' +
        'that you made by hand are used where they fit; no versions are stored.',
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
      if (!(await console.confirm(`${error.message} Put this one in its place?`, false))) return undefined;
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
