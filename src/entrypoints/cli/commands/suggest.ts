import { shortIds } from '../../../app/find-session.ts';
import { suggest } from '../../../app/suggest.ts';
import { commonOptions, type Define, examples, given, wholeNumber } from '../cli.ts';
import { fileList } from '../search-options.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural, shortCount } from '../terminal/quantities.ts';

type Options = { files?: string[]; branch?: string; budget?: number; limit?: number; project?: string };

export const defineSuggest: Define = (command, cli) => {
  command
    .argument('[topic...]', 'what you work on; each argument is a topic')
    .option('--files <a,b>', 'files at hand', fileList(cli.host.environment.cwd))
    .option('--branch <branch>', "a branch (default, without topic and files: this folder's)")
    .option('--budget <tokens>', 'only sessions that fit in so many tokens together', wholeNumber)
    .option('--limit <n>', 'at most so many (default: 5)', wholeNumber)
    .option('--project <project>', "of this one: its id, path or name (default: this folder's, else all)");
  commonOptions(command);
  examples(
    command,
    'suggest --files src/cart.ts,src/price.ts',
    'suggest "token cache" login --budget 50000',
    'suggest --branch feat/cart',
  );
  command.action(async (topics: string[], options: Options) => {
    const { console } = cli;
    const { style } = console;
    const world = await cli.world();
    const { items, tooLarge, notes } = await suggest(world, { topics, ...given({ ...options }) });
    for (const note of notes) console.note(note);
    if (tooLarge > 0) {
      console.note(
        `${plural(tooLarge, 'session')} would help too, but ${tooLarge === 1 ? 'is' : 'are'} larger than the budget.`,
      );
    }
    if (console.json) return console.printJson({ items, next: null });
    if (items.length === 0)
      return console.print('Nothing to suggest. Name a topic or --files, or run `keepsake sync` first.');
    const short = shortIds(items.map((item) => item.sessionId));
    items.forEach((item, index) => {
      if (index > 0) console.print('');
      const head = [
        style.accent(short.get(item.sessionId) ?? item.sessionId),
        style.strong(cleanLine(item.title) || '(no title)'),
        world.clock.local(item.last),
        `${shortCount(item.suggestedTokens)} tokens`,
        style.dim(item.relevanceScore.toFixed(2)),
      ];
      console.print(head.join('  '), ...item.reasons.map((reason) => `   ${cleanLine(reason)}`));
    });
  });
};
