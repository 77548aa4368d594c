import { shortIds } from '../../../app/find/session.ts';
import { suggest } from '../../../app/recall/suggest.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { fileList } from '../options/search.ts';
import { projectNames } from '../print/project-names.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural, shortCount } from '../terminal/quantities.ts';
import { fitText } from '../terminal/text-width.ts';
import { wrapText } from '../terminal/wrap-text.ts';

type Options = { files?: string[]; branch?: string; budget?: number; limit?: number; project?: string };

export const defineSuggest: Define = (command, cli) => {
  command
    .argument('[topic...]', 'what you are working on; each argument is a topic')
    .option('--files <a,b>', 'files you are working on', fileList(cli.host.environment.cwd))
    .option('--branch <branch>', "a branch (default without topic and files: this folder's)")
    .option('--budget <tokens>', 'only sessions that together fit into this many tokens', parseWholeNumber)
    .option('--limit <n>', 'maximum number (default: 5)', parseWholeNumber)
    .option('--project <project>', "this project: id, path or name (default: this folder's, otherwise all)");
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
    const { items, tooLarge, notes } = await suggest(world, { topics, ...withoutUndefined({ ...options }) });
    for (const note of notes) console.note(note);
    if (tooLarge > 0) {
      const are = tooLarge === 1 ? 'is' : 'are';
      console.note(
        items.length > 0
          ? `${plural(tooLarge, 'session')} would help too, but ${are} larger than the remaining budget.`
          : `${plural(tooLarge, 'session')} would help, but ${are} larger than the budget.`,
      );
      console.note('To make versions that fit: `keepsake compose`.');
    }
    if (console.json) return console.printJson({ items, next: null });
    if (items.length === 0) {
      const hint = 'No session matches. Try other words or files, or run `keepsake sync` first.';
      return console.print(`Nothing to suggest. ${tooLarge > 0 ? 'Try a larger --budget.' : hint}`);
    }
    const short = shortIds(items.map((item) => item.sessionId));
    const several = new Set(items.map((item) => item.project)).size > 1;
    const names = several
      ? await projectNames(
          world,
          items.map((item) => item.project),
        )
      : new Map<string, string>();
    items.forEach((item, index) => {
      if (index > 0) console.print('');
      const id = short.get(item.sessionId) ?? item.sessionId;
      const project = several ? (names.get(item.project) ?? item.project) : '';
      const facts = [
        cleanLine(project),
        world.clock.local(item.last),
        `${shortCount(item.suggestedTokens)} tokens${item.versionId === 'original' ? '' : ` as ${item.versionId}`}`,
        item.relevanceScore.toFixed(2),
      ].filter((fact) => fact !== '');
      const room = console.width === undefined ? undefined : Math.max(20, console.width - id.length - 2);
      const whose = item.by === undefined ? '' : `(by ${cleanLine(item.by)}) `;
      const title = `${whose}${cleanLine(item.title) || '(no title)'}`;
      console.print(
        `${style.accent(id)}  ${style.strong(room === undefined ? title : fitText(title, room))}`,
        `   ${style.dim(facts.join('  '))}`,
        ...item.reasons.flatMap((reason) =>
          wrapText(cleanLine(reason), console.width && console.width - 3).map((line) => `   ${line}`),
        ),
      );
    });
  });
};
