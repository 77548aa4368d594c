import { type HistoryRow, readHistory } from '../../../app/find/history.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, plural } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

type Options = { project?: string; limit?: number; after?: string };

const PAGE = 50;

export const defineHistory: Define = (command, cli) => {
  command.option('--project <project>', 'only this project: id, path or name');
  pageOptions(command, PAGE);
  commonOptions(command);
  examples(command, 'history', 'history --project shop --limit 5');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const limit = options.limit ?? PAGE;
    const list = await readHistory(world, {
      ...withoutUndefined({ project: options.project, after: options.after }),
      limit,
    });
    if (console.json) return console.printJson(list);
    if (list.items.length === 0) return console.print('No history yet.');
    const columns: Column<HistoryRow>[] = [
      { title: 'time', value: (row) => world.clock.local(row.at) },
      { title: 'what', value: (row) => row.action, paint: console.style.accent },
      { title: 'session', value: (row) => (row.sessionId ?? '').slice(0, 8), least: 8 },
      { title: 'by', value: (row) => cleanLine(row.by ?? ''), spare: 3 },
      { title: 'via', value: (row) => row.via ?? '', spare: 4 },
      {
        title: 'project',
        value: (row) => (row.projects ? plural(row.projects, 'project') : cleanLine(row.projectName)),
        least: 10,
        spare: 2,
      },
      { title: 'note', value: (row) => noteOf(row).words, least: 36 },
      { title: 'path', value: (row) => noteOf(row).path, least: 16, cut: 'front', spare: 1 },
    ];
    console.table(list.items, columns);
    console.noteZone();
    console.noteMore(list, 'history', options);
  });
};

const PATH = String.raw`(?:/|[A-Za-z]:\\)\S.*?`;
const ENDS_IN_PATH = new RegExp(`^(.*?) (${PATH})\\.?$`);
const BEGINS_WITH_PATH = new RegExp(`^(${PATH}) (is .*)$`);

/** What happened, and apart from it the file it happened to: that is long and comes last. */
export function noteOf(row: Pick<HistoryRow, 'note' | 'action' | 'details'>): {
  words: string;
  path: string;
} {
  const note = cleanLine(row.note ?? '').replace(
    IMPORTED_EDIT,
    () => `Imported: ${cleanLine(editOf(row.details))}`,
  );
  // biome-ignore lint/plugin: what is stored has no field for the path; only the layout depends on it
  const front = BEGINS_WITH_PATH.exec(note);
  if (front) return { words: `The file ${front[2]}`, path: front[1]! };
  // biome-ignore lint/plugin: as above
  const end = ENDS_IN_PATH.exec(note);
  if (end) return { words: end[1]!.replace(/:$/, ''), path: end[2]! };
  return { words: note === '' ? growth(row.details) : note, path: '' };
}

/** Of a record that came from elsewhere the note has only its id. */
const IMPORTED_EDIT = /^Imported: \w{2}_[0-9a-f]{6,}$/;

function editOf(details: HistoryRow['details']): string {
  const edit = details?.edit as { action?: string; content?: string; name?: string } | undefined;
  const about = edit?.content ?? edit?.name ?? '';
  return [edit?.action ?? 'edit', about].filter((it) => it !== '').join(' ');
}

function growth(details: HistoryRow['details']): string {
  const { before, after } = details ?? {};
  return typeof before === 'number' && typeof after === 'number' && after > before
    ? `${bytes(after - before)} more`
    : '';
}
