import type { Command } from 'commander';
import { shortIds } from '../../../app/find/session.ts';
import {
  type DecayMatrix,
  type PreviewedMarker,
  previewMatrix,
  previewProject,
  previewSession,
} from '../../../app/retention/preview.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { KeepitMode, KeepitVerdict } from '../../../core/keepit/decay.ts';
import { Fault } from '../../../core/model/fault.ts';
import { AGGRESSIVENESS, type Aggressiveness, KEEPIT_MODES } from '../../../core/model/version.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { parseChoice } from '../options/search.ts';
import { defineRun, defineSchedule, defineUndo } from '../print/retention-runs.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Style } from '../terminal/style.ts';
import type { Column } from '../terminal/table.ts';
import { wrapText } from '../terminal/wrap-text.ts';

type Options = {
  project?: string;
  ratio?: number;
  aggressiveness?: Aggressiveness;
  distance?: number;
  keepit?: KeepitMode;
  limit?: number;
  after?: string;
};

export const defineDecay: Define = (command, cli) => {
  commonOptions(command);
  examples(command, 'decay preview 4f2a91c0', 'decay run --dry-run', 'decay schedule weekly', 'decay undo');
  command.action(() => {
    throw new Fault('usage', 'keepsake decay: missing subcommand (preview, run, undo or schedule).', {
      hint: 'See `keepsake decay --help`.',
    });
  });
  definePreview(command, cli);
  defineRun(command, cli);
  defineUndo(command, cli);
  defineSchedule(command, cli);
};

function definePreview(command: Command, cli: Cli): void {
  const preview = command
    .command('preview')
    .description('Preview which keepits a compression would keep, and why.');
  preview
    .argument('[session]', 'a session id or unique prefix')
    .option('--project <project>', 'all sessions of this project, or the project of the session')
    .option('--ratio <n>', 'compression ratio, such as 30 (default: an overview)', ratioOf)
    .option('--aggressiveness <level>', AGGRESSIVENESS.join(', '), parseChoice(...AGGRESSIVENESS))
    .option('--distance <n>', 'sessions ago (default: the real distance)', distanceOf)
    .option('--keepit <mode>', KEEPIT_MODES.join(', '), parseChoice(...KEEPIT_MODES));
  pageOptions(preview, 'all');
  commonOptions(preview);
  examples(
    preview,
    'decay preview 4f2a91c0',
    'decay preview 4f2a91c0 --ratio 30 --aggressiveness aggressive --distance 5',
    'decay preview --project shop --ratio 15',
  );
  preview.action(async (session: string | undefined, options: Options) => {
    if (session === undefined && options.project === undefined)
      throw new Fault('usage', 'Missing session id, or --project.', {
        hint: '`keepsake sessions` lists sessions.',
      });
    const { ratio } = options;
    if (ratio === undefined) return overview(cli, session, options);
    if (session === undefined) return ofProject(cli, options.project ?? '', { ...options, ratio });
    return ofSession(cli, session, { ...options, ratio });
  });
}

type WithRatio = Options & { ratio: number };

function requestOf({ aggressiveness, distance, keepit }: Options) {
  return withoutUndefined({ aggressiveness, distance, mode: keepit });
}

async function ofSession(cli: Cli, session: string, options: WithRatio): Promise<void> {
  const { console } = cli;
  const request = {
    ratio: options.ratio,
    ...requestOf(options),
    ...withoutUndefined({ project: options.project }),
  };
  const { markers, threshold, sessionDistance } = await previewSession(await cli.world(), session, request);
  if (console.json) return console.printJson({ markers, threshold });
  if (markers.length === 0) return console.print(...wrapText(NONE, console.width));
  console.table(markers, markerColumns(markers, console.style));
  console.note(`Ratio ${options.ratio}:1 at distance ${sessionDistance}: threshold ${shown(threshold)}.`);
}

async function ofProject(cli: Cli, project: string, options: WithRatio): Promise<void> {
  const { console } = cli;
  const page = withoutUndefined({ limit: options.limit, after: options.after });
  const request = { ratio: options.ratio, ...requestOf(options), ...page };
  const list = await previewProject(await cli.world(), project, request);
  if (console.json) return console.printJson(list);
  if (list.items.length === 0) return console.print(...wrapText(NONE, console.width));
  const short = shortIds(list.items.map((it) => it.sessionId));
  const rows = list.items.flatMap((it) => it.markers.map((marker) => ({ ...it, ...marker })));
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'session', value: (it) => short.get(it.sessionId) ?? it.sessionId },
    { title: 'distance', value: (it) => String(it.sessionDistance), align: 'right' },
    { title: 'threshold', value: (it) => shown(it.threshold), align: 'right', spare: 2 },
  ];
  console.table(rows, [...columns, ...markerColumns(rows, console.style)]);
  console.noteMore(list, `decay preview --ratio ${options.ratio}`, options);
}

function markerColumns<M extends PreviewedMarker>(markers: M[], style: Style): Column<M>[] {
  const short = shortIds(markers.map((it) => it.markerId));
  return [
    { title: 'keepit', value: (it) => short.get(it.markerId) ?? it.markerId, paint: style.accent },
    { title: 'weight', value: (it) => it.weight.toFixed(2), align: 'right' },
    { title: 'verdict', value: (it) => it.verdict, paint: (text, it) => paint(text, it.verdict, style) },
    { title: 'why', value: (it) => it.why, spare: 1 },
    { title: 'words', value: (it) => cleanLine(it.content), least: 24 },
  ];
}

async function overview(cli: Cli, session: string | undefined, options: Options): Promise<void> {
  const { console } = cli;
  const of = withoutUndefined({ session, project: options.project });
  const matrix = await previewMatrix(await cli.world(), of, requestOf(options));
  if (console.json) return console.printJson(matrix);
  const { markers, ratios } = matrix;
  if (markers.length === 0) return console.print(...wrapText(NONE, console.width));
  const rows = weightRows(matrix);
  const columns: Column<WeightRow>[] = [
    { title: 'weight', value: (it) => it.weight, align: 'right', paint: console.style.strong },
    { title: 'keepits', value: (it) => it.keepits, align: 'right', spare: 1 },
    { title: 'distance', value: (it) => String(it.distance), align: 'right' },
    ...ratios.map((ratio, index) => ({
      title: `${ratio}:1`,
      value: (it: WeightRow) => it.verdicts[index] ?? '',
      paint: (text: string, it: WeightRow) => paint(text, it.verdicts[index], console.style),
    })),
  ];
  console.table(rows, columns);
  console.note('Use --ratio N to see each keepit with its calculation.');
}

type WeightRow = { weight: string; keepits: string; distance: number; verdicts: KeepitVerdict[] };

/** The verdict depends on the weight alone: one block for each, heaviest first; those held back apart. */
function weightRows({ markers, distances }: DecayMatrix): WeightRow[] {
  const blocks = new Map<string, DecayMatrix['markers']>();
  for (const marker of [...markers].sort((a, b) => Number(a.held) - Number(b.held) || b.weight - a.weight)) {
    const name = `${marker.weight.toFixed(2)}${marker.held ? ' (unconfirmed)' : ''}`;
    blocks.set(name, [...(blocks.get(name) ?? []), marker]);
  }
  return [...blocks].flatMap(([weight, all]) =>
    distances.map((distance, index) => ({
      weight: index === 0 ? weight : '',
      keepits: index === 0 ? String(all.length) : '',
      distance,
      verdicts: all[0]!.verdicts[index] ?? [],
    })),
  );
}

const NONE =
  'No keepits here. Write ##keepit0.80## in a message, or mark text afterwards with `keepsake keepit add`.';

function paint(text: string, verdict: KeepitVerdict | undefined, style: Style): string {
  return verdict === 'SUMMARIZED'
    ? style.bad(text)
    : verdict === 'BARELY SURVIVES'
      ? style.warn(text)
      : style.good(text);
}

function shown(threshold: number): string {
  return threshold.toFixed(4).replace(/0{1,2}$/, '');
}

function ratioOf(text: string): number {
  const [, figure] = /^(\d{1,4}(?:\.\d{1,4})?)(?::1)?$/.exec(text) ?? [];
  const ratio = Number(figure);
  if (figure !== undefined && ratio >= 1 && ratio <= 1000) return ratio;
  throw new Fault('usage', `--ratio can't be ${JSON.stringify(text.slice(0, 40))}.`, {
    hint: 'Use a number from 1 to 1000: 30 means 30:1.',
  });
}

function distanceOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Fault('usage', `--distance can't be ${JSON.stringify(text.slice(0, 40))}.`, {
    hint: 'Use a whole number: 1 is the most recent session.',
  });
}
