import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readL1 } from '../../../app/read-l1.ts';
import { type SessionDetails, showKeepits, showSession } from '../../../app/show.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { conversation, keepitLines, l1Text } from '../conversation.ts';
import { printDetails } from '../session-details.ts';

type Options = { project?: string; l1?: boolean; messages?: boolean; raw?: boolean; keepits?: boolean };

export const defineShow: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id, or as much of it as no other has')
    .option('--messages', 'the conversation, for reading')
    .option('--l1', 'the refined transcript, a line for each message and tool call')
    .option('--keepits', 'its keepit markers')
    .option('--raw', 'the original, byte for byte')
    .option('--project <project>', 'where it is: id, path or name');
  commonOptions(command);
  examples(command, 'show 4f2a91c0', 'show 4f2a91c0 --messages | less', 'show 4f2a91c0 --raw > copy.jsonl');
  command.action(async (id: string, options: Options) => {
    const views = ['messages', 'l1', 'keepits', 'raw'].filter((view) => options[view as keyof Options]);
    if (views.length > 1)
      throw new Fault('usage', `Only one of ${views.map((view) => `--${view}`).join(', ')} at a time.`);
    const world = await cli.world();
    const details = await showSession(world, id, options.project);
    await show(cli, world, details, views[0]);
  });
};

async function show(
  cli: Cli,
  world: World,
  details: SessionDetails,
  view: string | undefined,
): Promise<void> {
  const { console } = cli;
  switch (view) {
    case 'raw':
      return pipeline(createReadStream(details.archivedFile), process.stdout, { end: false });
    case 'keepits': {
      const items = await showKeepits(world, details.sessionId, details.projectId);
      if (console.json) return console.printJson({ items, next: null });
      return console.print(
        ...(items.length === 0 ? ['No keepits in this session.'] : keepitLines(items, console.style)),
      );
    }
    case 'l1': {
      const items = await readL1(world, details);
      if (console.json) return console.printJson({ items, next: null });
      return console.print(...items.map((line) => l1Text(line, world.clock, console.style)));
    }
    case 'messages': {
      const items = (await readL1(world, details)).filter(
        (line) => line.text !== undefined && line.role !== 'tool',
      );
      if (console.json) return console.printJson({ items, next: null });
      return console.print(...conversation(items, world.clock, console.style));
    }
    default:
      return console.json ? console.printJson(details) : printDetails(details, world.clock, console);
  }
}
