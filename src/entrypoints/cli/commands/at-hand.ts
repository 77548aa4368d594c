import { type AskedAtHand, recallAtHand } from '../../../app/inject/at-hand.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';

type Options = { project?: string; budget?: number };

/** Prints what earlier sessions know about an error, a command or a file. `-` as an error reads stdin. */
export async function printAtHand(cli: Cli, asked: AskedAtHand & { budget?: number }): Promise<void> {
  const { budget, ...rest } = asked;
  const error = rest.error === '-' ? await readInput() : rest.error;
  const request = withoutUndefined({ ...rest, error, tokens: budget });
  const answer = await recallAtHand(await cli.world(), request);
  if (cli.console.json) return cli.console.printJson(answer);
  cli.console.print(answer.text === '' ? 'Nothing found. Try `keepsake recall WORDS`.' : answer.text);
}

async function readInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  const text = Buffer.concat(parts).toString('utf8').trim();
  if (text === '') throw new Fault('usage', 'stdin is empty.', { hint: 'npm test 2>&1 | keepsake fix -' });
  return text;
}

function define(about: string, example: string, ask: (words: string) => AskedAtHand): Define {
  return (command, cli) => {
    command
      .argument('<words...>', about)
      .option('--budget <tokens>', 'maximum tokens (default: 1500)', parseWholeNumber)
      .option(
        '--project <project>',
        "this project: id, path or name (default: this folder's, otherwise all)",
      );
    commonOptions(command);
    examples(command, example);
    command.action((words: string[], options: Options) =>
      printAtHand(cli, { ...ask(words.join(' ')), ...options }),
    );
  };
}

export const defineFix = define(
  "an error's text; - reads it from stdin",
  'fix "command not found: hk"',
  (error) => ({
    error,
  }),
);
export const defineHow = define('a command', 'how cargo test', (command) => ({ command }));
export const defineWhy = define('a file, or FILE:LINE', 'why src/price.ts', (file) => ({ file }));
