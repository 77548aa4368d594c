import { type Cut, fitText, padText, textWidth } from './text-width.ts';
import { wrapText } from './wrap-text.ts';

export type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** May be cut when the terminal is narrow, but not below this width. */
  least?: number;
  /** Which end goes when it is cut. */
  cut?: Cut;
  /** Goes on below itself instead of being cut; for the last column. */
  wrap?: true;
  /** Left out first, largest number first, when even cut columns do not fit. */
  spare?: number;
  /** Of the cell as it is shown: cut, padded. */
  paint?: (text: string, row: Row) => string;
};

type Lines = { heading: string; body: string[][] };

export type TableOptions = { width: number | undefined; heading: (text: string) => string; indent?: string };

const GAP = '  ';

/** Aligned lines. With a width, empty columns are left out, others cut and left out, until they fit; without one nothing is lost. */
export function table<Row>(rows: Row[], columns: Column<Row>[], options: TableOptions): string[] {
  const { heading, body } = tableLines(rows, columns, options);
  return [heading, ...body.flat()];
}

/** The same, with the lines of each row apart: tables that belong together are laid out as one. */
export function tableLines<Row>(rows: Row[], columns: Column<Row>[], options: TableOptions): Lines {
  const indent = options.indent ?? '';
  const room = options.width === undefined ? undefined : options.width - indent.length;
  const chosen = room === undefined ? measure(rows, columns) : squeeze(measure(rows, columns), room);
  const line = (cells: string[], paint: (text: string, column: Column<Row>) => string) =>
    indent +
    chosen
      .map(({ column, width }, index) => {
        const text = fitText(cells[index] ?? '', width, column.cut);
        const last = index === chosen.length - 1 && column.align !== 'right';
        return paint(last ? text : padText(text, width, column.align ?? 'left'), column);
      })
      .join(GAP)
      .trimEnd();
  const heading = line(
    chosen.map(({ column }) => column.title),
    (text) => options.heading(text),
  );
  const body = rows.map((row, place) =>
    below(chosen, place).map((cells) => line(cells, (text, column) => column.paint?.(text, row) ?? text)),
  );
  return { heading, body };
}

/** A row's cells, line by line: one line, unless its last cell wraps. */
function below<Row>(chosen: Measured<Row>[], row: number): string[][] {
  const cells = chosen.map((item) => item.cells[row] ?? '');
  const last = chosen.at(-1);
  if (!last?.column.wrap) return [cells];
  return wrapText(cells.at(-1) ?? '', last.width).map((text, index) =>
    index === 0 ? [...cells.slice(0, -1), text] : [...cells.slice(0, -1).map(() => ''), text],
  );
}

type Measured<Row> = { column: Column<Row>; cells: string[]; width: number };

function measure<Row>(rows: Row[], columns: Column<Row>[]): Measured<Row>[] {
  return columns.map((column) => {
    const cells = rows.map(column.value);
    const widest = cells.reduce((width, cell) => Math.max(width, textWidth(cell)), 0);
    return { column, cells, width: Math.max(widest, textWidth(column.title)) };
  });
}

function squeeze<Row>(columns: Measured<Row>[], room: number): Measured<Row>[] {
  const total = columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * (columns.length - 1);
  const over = total - room;
  if (over <= 0) return columns;
  const filled = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.length > 0 && filled.length < columns.length) return squeeze(filled, room);
  const give = (item: Measured<Row>) =>
    item.column.least === undefined
      ? 0
      : Math.max(0, item.width - Math.max(item.column.least, textWidth(item.column.title)));
  const elastic = columns.reduce((sum, item) => sum + give(item), 0);
  const spare = [...columns].sort((a, b) => (b.column.spare ?? 0) - (a.column.spare ?? 0))[0];
  if (elastic < over && spare?.column.spare !== undefined && columns.length > 1) {
    return squeeze(
      columns.filter((item) => item !== spare),
      room,
    );
  }
  let left = over;
  return columns.map((item) => {
    const share = Math.min(left, give(item), Math.ceil((over * give(item)) / Math.max(1, elastic)));
    left -= share;
    return { ...item, width: item.width - share };
  });
}
