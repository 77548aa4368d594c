import { RECALL_BUDGET, recall } from '../../../app/recall/recall.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { fileList, parseDayOrTime } from '../options/search.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';
import { fitText } from '../terminal/text-width.ts';

/** Characters of a topic that are said back. */
const ECHOED = 60;

type Options = {
  budget?: number;
  files?: string[];
  asOf?: string;
  project?: string;
  error?: string;
  command?: string;
  file?: string;
};

export const defineRecall: Define = (command, cli) => {
  command
    .argument('[topic...]', 'what it should be about')
    .option('--budget <tokens>', `at most so many tokens (default: ${RECALL_BUDGET})`, parseWholeNumber)
    .option('--files <a,b>', 'what was said about these files', fileList(cli.host.environment.cwd))
    .option('--error <text>', 'what worked after this error; - reads it from stdin (also: keepsake fix)')
    .option('--command <command>', 'how a command is called here (also: keepsake how)')
    .option('--file <path>', 'decisions, commits and sessions about a file (also: keepsake why)')
    .option('--as-of <date>', 'as memory stood at the end of that day', parseDayOrTime)
    .option('--project <project>', "of this one: its id, path or name (default: this folder's, else all)");
  commonOptions(command);
  examples(
    command,
    'recall',
    'recall token cache --budget 1000',
    'recall rounding --files src/price.ts --as-of 2026-01-31',
  );
  command.action(async (words: string[], options: Options) => {
    const { console } = cli;
    const topic = words.join(' ').trim();
    const { error, command: called, file, project, budget } = options;
    if (error !== undefined || called !== undefined || file !== undefined) {
      const { printAtHand } = await import('./at-hand.ts');
      return printAtHand(cli, withoutUndefined({ error, command: called, file, project, budget }));
    }
    const { notes, ...answer } = await recall(await cli.world(), {
      ...withoutUndefined({ budget, files: options.files, asOf: options.asOf, project }),
      ...(topic === '' ? {} : { topic }),
    });
    for (const note of notes) console.note(note);
    if (console.json) return console.printJson(answer);
    const place = answer.projectName === null ? 'all projects' : `project ${shortLine(answer.projectName)}`;
    const next =
      answer.projectName === null
        ? '`keepsake sync` adds the sessions that there are.'
        : '`keepsake sync` adds new sessions; --project NAME asks another project.';
    if (answer.text !== '') return console.print(answer.text.trimEnd());
    if (answer.left === 0) {
      const about = `${topic === '' ? '' : ` about ${shortLine(topic)}`} in ${place}`;
      return console.print(
        options.asOf === undefined
          ? `Nothing is remembered${about} yet. ${next}`
          : `Nothing was remembered${about} by ${options.asOf}. Try a later --as-of.`,
      );
    }
    console.print(
      `${plural(answer.left, 'memory', 'memories')} in ${place}, but none fits in ${plural(answer.budget, 'token')}. Try a larger --budget.`,
    );
  });
};

function shortLine(text: string): string {
  return fitText(cleanLine(text), ECHOED);
}
