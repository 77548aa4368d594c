import { shortHash } from '../../core/model/ids.ts';
import { readL1Line } from '../../core/model/l1.ts';
import { lineText } from '../../core/search/documents/session.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import type { World } from '../world.ts';

/** A found turn, as much of it as a hook injects: the message's own id would need the original and what reads it. */
export type HookHit = {
  sessionId: string;
  role: string;
  ts: string;
  title: string;
  exchange: string;
  src: number;
  text: string;
};

export async function readHookHit(
  world: World,
  view: IndexView,
  row: SourceRow,
  line: number,
): Promise<HookHit | undefined> {
  const [place] = view.places([line]);
  if (!place) return undefined;
  const bytes = await world.archive.files.readAt(row.project, row.file, place.at, place.bytes);
  const l1Line = readL1Line(bytes.toString('utf8'));
  // The file was made anew in this very moment; a damaged one is named by who indexes it.
  if (!l1Line) return undefined;
  const { role, ts, src } = l1Line;
  const exchange = exchangeId(view, row, line);
  return { sessionId: row.name, role, ts, title: row.title, exchange, src, text: lineText(l1Line) };
}

/** As `keepsake exchanges` names it: by the place of its first line. */
function exchangeId(view: IndexView, row: SourceRow, line: number): string {
  const exchange = view.exchange[line];
  for (const [start, count] of view.runs(row.id)) {
    for (let at = start; at < start + count; at++) {
      if (view.exchange[at] !== exchange) continue;
      return `ex_${shortHash(`${row.name}:${view.places([at])[0]?.src ?? 0}`, 12)}`;
    }
  }
  return '';
}
