import { RECALL_BUDGET, recall } from '../../../app/recall/recall.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
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
    .argument('[topic...]', 'the topic')
    .option('--budget <tokens>', `maximum tokens (default: ${RECALL_BUDGET})`, parseWholeNumber)
    .option('--files <a,b>', 'text about these files', fileList(cli.host.environment.cwd))
    .option('--error <text>', 'what worked after this error; - reads it from stdin (same as: keepsake fix)')
    .option('--command <command>', 'how a command is called here (same as: keepsake how)')
    .option('--file <path>', 'decisions, commits and sessions about a file (same as: keepsake why)')
    .option('--as-of <date>', 'use memory as of the end of this day', parseDayOrTime)
    .option('--project <project>', "this project: id, path or name (default: this folder's, otherwise all)");
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
      const ways = [
        topic === '' ? undefined : 'a topic',
        error === undefined ? undefined : '--error',
        called === undefined ? undefined : '--command',
        file === undefined ? undefined : '--file',
        options.files === undefined ? undefined : '--files',
        options.asOf === undefined ? undefined : '--as-of',
      ].filter((it) => it !== undefined);
      if (ways.length > 1)
        throw new Fault('usage', `${ways.join(' and ')} cannot be combined.`, {
          hint: 'Use one at a time: keepsake recall --error TEXT, --command CMD or --file PATH.',
        });
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
        ? 'Run `keepsake sync` to add your sessions.'
        : 'Run `keepsake sync` to add new sessions, or use --project NAME for another project.';
    if (answer.text !== '') return console.print(answer.text.trimEnd());
    if (answer.left === 0) {
      const about = `${topic === '' ? '' : ` about ${shortLine(topic)}`} in ${place}`;
      return console.print(
        options.asOf === undefined
          ? `Nothing found${about}. ${next}`
          : `Nothing found${about} as of ${options.asOf}. Try a later --as-of.`,
      );
    }
    console.print(
      `${plural(answer.left, 'memory', 'memories')} in ${place}, but none fits into ${plural(answer.budget, 'token')}. Try a larger --budget.`,
    );
  });
};

function shortLine(text: string): string {
  return fitText(cleanLine(text), ECHOED);
}
