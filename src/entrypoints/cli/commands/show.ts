import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { findExchange, isExchangeId } from '../../../app/find/exchange.ts';
import { readL1 } from '../../../app/find/read-l1.ts';
import { readSubagent } from '../../../app/session/read-subagent.ts';
import { originalOf, type SessionDetails, showKeepits, showSession } from '../../../app/session/show.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { L1Line } from '../../../core/model/l1.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { conversation, keepitLines, l1Lines } from '../print/conversation.ts';
import { printDetails } from '../print/session-details.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count } from '../terminal/quantities.ts';

const VIEWS = ['messages', 'l1', 'lines', 'keepits', 'subagents', 'subagent', 'raw'] as const;
type View = (typeof VIEWS)[number];
type Options = { project?: string; lines?: string; subagent?: string } & { [view in View]?: unknown };

export const defineShow: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix, or an exchange: ex_...')
    .option('--messages', 'print the conversation')
    .option('--l1', 'print the refined transcript: every message and tool call, numbered')
    .option('--lines <from-to>', 'only these lines, such as 46-69')
    .option('--keepits', 'list its keepit markers')
    .option('--subagents', 'list its subagents')
    .option('--subagent <agent>', 'show what a subagent did')
    .option('--raw', 'print the original, byte for byte')
    .option('--project <project>', 'its project: id, path or name');
  commonOptions(command);
  examples(
    command,
    'show 4f2a91c0',
    'show 4f2a91c0 --messages | less',
    'show 4f2a91c0 --lines 46-69',
    'show ex_0c1d2e3f4a5b',
    'show 4f2a91c0 --raw > copy.jsonl',
  );
  command.action(async (id: string, options: Options) => {
    const views = VIEWS.filter((view) => options[view] !== undefined);
    if (views.length > 1)
      throw new Fault('usage', `Use only one of ${views.map((view) => `--${view}`).join(', ')}.`);
    if (isExchangeId(id)) return showExchange(cli, id, views, options.project);
    const details = await showSession(await cli.world(), id, options.project);
    await show(cli, details, views[0], options);
  });
};

async function show(
  cli: Cli,
  details: SessionDetails,
  view: View | undefined,
  options: Options,
): Promise<void> {
  const { console } = cli;
  const world = await cli.world();
  switch (view) {
    case 'raw':
      return pipeline(createReadStream(await originalOf(world, details)), process.stdout, { end: false });
    case 'keepits': {
      const items = await showKeepits(world, details.sessionId, details.projectId);
      if (console.json) return console.printJson({ items, next: null });
      return console.print(
        ...(items.length === 0
          ? ['No keepits in this session.']
          : keepitLines(items, { style: console.style, width: console.width, by: details.by })),
      );
    }
    case 'l1':
      return printLines(cli, await readL1(world, details), { by: details.by });
    case 'lines': {
      const lines = await readL1(world, details);
      const [from, to] = rangeOf(options.lines ?? '', lines.length);
      return printLines(cli, lines, { from, to, by: details.by });
    }
    case 'messages':
      return printMessages(cli, await readL1(world, details), details.by);
    case 'subagents':
      return printSubagents(cli, details);
    case 'subagent':
      return printLines(cli, (await readSubagent(world, details, options.subagent ?? '')).lines);
    default:
      return console.json ? console.printJson(details) : printDetails(details, world.clock, console);
  }
}

async function showExchange(cli: Cli, id: string, views: View[], project?: string): Promise<void> {
  if (views.length > 0) {
    throw new Fault('usage', `--${views[0]} is for a session, and ${id} is an exchange.`, {
      hint: 'Omit it to show the lines of the exchange.',
    });
  }
  const { console } = cli;
  const { row, exchange, lines } = await findExchange(await cli.world(), id, project);
  const [from, to] = exchange.l1_range;
  if (console.json) {
    const { projectId, sessionId } = row;
    return console.printJson({
      projectId,
      sessionId,
      ...(row.by === undefined ? {} : { by: row.by }),
      exchange,
      items: lines.slice(from - 1, to),
      next: null,
    });
  }
  console.print(
    console.style.dim(`${exchange.id}  lines ${from}-${to} of ${row.sessionId} in ${row.projectName}`),
  );
  await printLines(cli, lines, { from, to, by: row.by });
}

type Shown = { from?: number; to?: number; by?: string | undefined };

async function printLines(
  cli: Cli,
  lines: L1Line[],
  { from = 1, to = lines.length, by }: Shown = {},
): Promise<void> {
  const { console } = cli;
  const { clock } = await cli.world();
  if (console.json) return console.printJson({ items: lines.slice(from - 1, to), next: null });
  if (lines.length === 0) return console.print('This exchange is empty.');
  console.print(...l1Lines(lines, { clock, style: console.style, width: console.width, by }, from, to));
  console.noteZone();
}

async function printMessages(cli: Cli, lines: L1Line[], by: string | undefined): Promise<void> {
  const { console } = cli;
  const { clock } = await cli.world();
  const items = lines.filter((line) => line.text !== undefined && line.role !== 'tool');
  if (console.json) return console.printJson({ items, next: null });
  const rendered = conversation(items, { clock, style: console.style, width: console.width, by });
  console.print(...(rendered.length === 0 ? ['This session has no messages.'] : rendered));
  if (rendered.length > 0) console.noteZone();
}

async function printSubagents(cli: Cli, details: SessionDetails): Promise<void> {
  const { console } = cli;
  const items = details.metadata.subSessions;
  if (console.json) return console.printJson({ items, next: null });
  if (items.length === 0) return console.print('No subagents in this session.');
  console.table(items, [
    { title: 'subagent', value: (it) => cleanLine(it.agentId), paint: console.style.accent },
    { title: 'messages', value: (it) => count(it.messages), align: 'right' },
    { title: 'size', value: (it) => (it.bytes === 0 ? '' : bytes(it.bytes)), align: 'right' },
    { title: 'started by', value: (it) => cleanLine(it.toolUseId ?? ''), spare: 1 },
  ]);
  console.note(`keepsake show ${details.sessionId.slice(0, 8)} --subagent AGENT shows what one did.`);
}

/** `46-69`, `46-` up to the end, `46` alone. */
function rangeOf(text: string, last: number): [from: number, to: number] {
  const [, first, dash, end] = /^(\d{1,9})(-)?(\d{1,9})?$/.exec(text) ?? [];
  const from = Number(first);
  const to = Math.min(last, end === undefined ? (dash === undefined ? from : last) : Number(end));
  if (first !== undefined && from >= 1 && from <= to) return [from, to];
  throw new Fault('usage', `--lines can't be ${JSON.stringify(text)}: this session has lines 1-${last}.`, {
    hint: 'Use a range such as --lines 1-20.',
  });
}
