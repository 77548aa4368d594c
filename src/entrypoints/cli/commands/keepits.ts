import { shortIds } from '../../../app/find/session.ts';
import { type KeepitRow, listKeepits } from '../../../app/keepit/keepits.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { WEIGHT_PRESETS, type WeightPreset } from '../../../core/keepit/weight.ts';
import { cutAtWord } from '../../../core/text/sentences.ts';
import { commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { keepitRange, parseChoice } from '../options/search.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Column } from '../terminal/table.ts';
import { wrapText } from '../terminal/wrap-text.ts';

type Options = {
  project?: string;
  weight?: ReturnType<typeof keepitRange>;
  preset?: WeightPreset;
  from?: 'user' | 'assistant';
  held?: true;
  added?: true;
  removed?: true;
  limit?: number;
  after?: string;
};

const PAGE = 100;
/** A list names keepits; `--json` has them whole. */
const LONGEST = 300;
const PRESETS = Object.keys(WEIGHT_PRESETS) as WeightPreset[];

export const defineKeepits: Define = (command, cli) => {
  command
    .argument('[session]', 'a session id or unique prefix (default: all sessions)')
    .option('--project <project>', 'only this project: id, path or name')
    .option('--weight <range>', '0.80 (that weight or more), or a range: 0.50-0.80', keepitRange)
    .option('--preset <preset>', PRESETS.join(', '), parseChoice(...PRESETS))
    .option('--from <who>', 'user or assistant: who wrote the message', parseChoice('user', 'assistant'))
    .option('--held', 'only keepits that wait for your confirmation')
    .option('--added', 'only keepits that were added afterwards')
    .option('--removed', 'list removed keepits instead');
  pageOptions(command, PAGE);
  commonOptions(command);
  examples(command, 'keepits 4f2a91c0', 'keepits --project shop --preset pinned', 'keepits --held');
  command.action(async (session: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const { project, preset, from, held, added, removed, after } = options;
    const list = await listKeepits(world, {
      ...withoutUndefined({ session, project, preset, origin: from, held, added, removed, after }),
      ...withoutUndefined({ least: options.weight?.keepitMin, most: options.weight?.keepitMax }),
      limit: options.limit ?? PAGE,
    });
    const { items, next } = list;
    if (console.json) return console.printJson({ items, next });
    if (items.length === 0) return console.print(...wrapText(noneOf(options), console.width));
    const short = shortIds(list.ids);
    const sessions = shortIds(items.map((it) => it.sessionId));
    const { style } = console;
    const whose: Column<KeepitRow>[] = [
      { title: 'by', value: (it) => (it.by === 'me' ? 'you' : cleanLine(it.by)) },
      { title: 'via', value: (it) => it.via, spare: 6 },
    ];
    const where: Column<KeepitRow>[] = [
      { title: 'session', value: (it) => sessions.get(it.sessionId) ?? it.sessionId, spare: 2 },
      { title: 'project', value: (it) => cleanLine(it.projectName), least: 10, spare: 5 },
    ];
    const columns: Column<KeepitRow>[] = [
      { title: 'keepit', value: (it) => short.get(it.markerId) ?? it.markerId, paint: style.accent },
      { title: 'weight', value: (it) => it.weight.toFixed(2), align: 'right', paint: style.strong },
      { title: 'preset', value: (it) => it.preset, spare: 4 },
      { title: 'from', value: (it) => it.origin, spare: 3 },
      ...(items.some((it) => it.by !== 'me') ? whose : []),
      ...(session === undefined ? where : []),
      { title: 'state', value: stateOf, spare: 1 },
      { title: 'words', value: (it) => cutAtWord(cleanLine(it.content), LONGEST), least: 30 },
    ];
    console.table(items, columns);
    const command = session === undefined ? 'keepits' : `keepits ${session}`;
    console.noteMore({ items, next }, command, options, list.total);
    if (items.some((it) => it.held))
      console.note(
        'Unconfirmed: the assistant wrote these without being asked, the text came from a tool, or they are from someone else. To confirm one: `keepsake keepit confirm KEEPIT`.',
      );
  });
};

function noneOf(options: Options): string {
  const { project: _, limit: __, after: ___, ...filters } = options;
  if (Object.keys(filters).length > 0) return 'No matching keepits.';
  return 'No keepits here. Write ##keepit0.80## in a message, or mark text afterwards with `keepsake keepit add`.';
}

/** Changes to a marker since it was written. */
function stateOf(it: KeepitRow): string {
  const written = it.writtenWeight === undefined ? '' : `was ${it.writtenWeight.toFixed(2)}`;
  const states = [
    it.removed && 'removed',
    it.held && 'unconfirmed',
    it.confirmed && 'confirmed',
    it.added && 'added',
  ];
  return [...states.filter((state) => typeof state === 'string'), written].filter(Boolean).join(', ');
}
