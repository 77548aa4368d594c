import { blame } from '../../../app/compress/blame.ts';
import { findSession } from '../../../app/find/session.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { Agent } from '../../../core/transcript/read-line.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export const defineBlame: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .argument('<version>', 'one of its versions, such as part1_v001')
    .argument('[lines]', 'lines of its Markdown: 12 or 12-20 (default: all)')
    .option('--project <project>', 'its project: id, path or name')
    .addHelpText('after', '\nShows for each line the message it comes from and its bytes in the original.');
  commonOptions(command);
  examples(command, 'blame 4f2a91c0 v001 12', 'blame 4f2a91c0 part1_v001 12-20 --json');
  command.action(
    async (id: string, version: string, lines: string | undefined, options: { project?: string }) => {
      const { console } = cli;
      const world = await cli.world();
      const { projectId, sessionId, row } = await findSession(world, id, options.project);
      const agent = row.metadata.agent as Agent;
      const range = lines === undefined ? undefined : readRange(lines);
      const blamed = await blame(world, { project: projectId, session: sessionId, agent }, version, range);
      if (console.json) return console.printJson(blamed);
      for (const { line, text, origins } of blamed.lines) {
        console.print(`${console.style.dim(String(line).padStart(4))}  ${cleanLine(text)}`);
        for (const origin of origins) {
          const where = `bytes ${origin.bytes.join('-')}  L1 line ${origin.l1Line}`;
          const who = `${origin.role} ${world.clock.local(origin.ts)} ${origin.messageUuid ?? ''}`;
          console.print(console.style.dim(`      ${who.trim()}  ${where}`));
        }
      }
      console.note(`Bytes of ${blamed.original}`);
    },
  );
};

function readRange(text: string): [number, number] {
  const [, first, last] = /^(\d+)(?:[-:](\d+))?$/.exec(text) ?? [];
  if (first !== undefined) return [Number(first), Number(last ?? first)];
  throw new Fault('usage', `${JSON.stringify(text.slice(0, 40))} is not a range of lines.`, {
    hint: 'Use a line or a range: 12 or 12-20.',
  });
}
