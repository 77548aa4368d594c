import { diffVersions, type VersionDiffLine } from '../../../app/compress/diff-versions.ts';
import { findSession } from '../../../app/find/session.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';

type Options = { project?: string; all?: boolean };

export const defineDiff: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .argument('<from>', 'a version or `original`')
    .argument('[to]', 'another version (default: compare the original with <from>)')
    .option('--all', 'also show unchanged lines')
    .option('--project <project>', 'its project: id, path or name');
  commonOptions(command);
  examples(
    command,
    'diff 4f2a91c0 v001',
    'diff 4f2a91c0 part1_v001 part1_v002',
    'diff 4f2a91c0 original v002',
  );
  command.action(async (id: string, from: string, to: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const { projectId, sessionId } = await findSession(world, id, options.project);
    const [a, b] = to === undefined ? ['original', from] : [from, to];
    const diff = await diffVersions(world, { project: projectId, session: sessionId }, [a, b]);
    if (console.json) return console.printJson(diff);
    let exchange = '';
    for (const line of diff.lines) {
      if (line.status === 'same' && !options.all) continue;
      if (line.exchange !== exchange) {
        exchange = line.exchange;
        console.print(console.style.accent(`@@ ${line.exchange}  ${world.clock.local(line.ts)}`));
      }
      printLine(console, line);
    }
    const { same, shorter, longer, gone } = diff.counts;
    const added = diff.counts.new;
    console.print(
      `${diff.a} (${count(diff.tokens.a)} tokens) to ${diff.b} (${count(diff.tokens.b)}): ` +
        `messages and tool calls: ${same} unchanged, ${shorter} shorter, ${longer} longer, ${gone} removed, ${added} new; ` +
        `${plural(diff.goneExchanges.length, 'exchange')} removed completely.`,
    );
  });
};

function printLine(console: Console, { role, name, a, b, status }: VersionDiffLine): void {
  const who = role === 'tool' ? (name ?? 'tool') : role;
  const shown = (text: string) => cleanLine(role === 'tool' ? firstLine(text) : text);
  if (status === 'same') console.print(`  ${who}: ${shown(b ?? '')}`);
  if (status === 'same') return;
  if (a !== null) console.print(console.style.bad(`- ${who}: ${shown(a)}`));
  if (b !== null) console.print(console.style.good(`+ ${who}: ${shown(b)}`));
}

/** Input and output of tools would fill the screen; `--json` has them. */
function firstLine(text: string): string {
  const [first = '', ...more] = text.split('\n');
  return more.length === 0 ? first : `${first} … ${plural(more.length, 'line')}`;
}
