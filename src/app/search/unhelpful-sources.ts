import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { InjectionSource } from '../../core/model/injection.ts';
import { fields, list, oneOf, text } from '../../core/model/shape.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** Injections that did not help, with their sources. */
export type Feedback = { version: 1; unhelpful: { id: string; at: string; sources: InjectionSource[] }[] };

export const FEEDBACK_FILE = 'injections/feedback.json';
export const FEEDBACK: StoredKind<Feedback> = {
  schema: fields({
    version: oneOf(1),
    unhelpful: list(
      fields({ id: text, at: text, sources: list(fields({ session: text }, { exchange: text, id: text })) }),
    ),
  }),
  format: ['version', 1],
  damaged: 'The list of injections marked as not helpful is lost.',
};

/** What a source that did not help is worth in its project, beside others that fit as well. */
export const UNHELPFUL = 0.3;
/** The chance that its sentences answer, beside what it would be: chances of the best are many times those of the others. */
export const UNHELPFUL_CHANCE = 0.1;

export async function readFeedback(world: World, project: ProjectId): Promise<Feedback> {
  return (await readStored(world, project, FEEDBACK_FILE, FEEDBACK)).value ?? { version: 1, unhelpful: [] };
}

/** Sources that did not help in a project: exchanges, and facts or statements, by their ids. */
export type Unhelpful = { exchanges: ReadonlySet<string>; ids: ReadonlySet<string> };

export async function unhelpfulSources(
  world: World,
  folders: readonly { projectId: ProjectId }[],
): Promise<Unhelpful> {
  const exchanges = new Set<string>();
  const ids = new Set<string>();
  for (const { projectId } of folders) {
    for (const { sources } of (await readFeedback(world, projectId)).unhelpful)
      for (const { exchange, id } of sources) {
        if (exchange !== undefined) exchanges.add(exchange);
        if (id !== undefined) ids.add(id);
      }
  }
  return { exchanges, ids };
}

/** Whether a piece is made of what did not help before. */
export function isUnhelpful(
  { exchange, id }: { exchange?: string | undefined; id?: string | undefined },
  unhelpful: Unhelpful,
): boolean {
  return (
    (exchange !== undefined && unhelpful.exchanges.has(exchange)) ||
    (id !== undefined && unhelpful.ids.has(id))
  );
}

/** Those that did not help before come after the others. */
export function unhelpfulLast<P extends object>(pieces: P[], unhelpful: Unhelpful): P[] {
  const isLast = (piece: P) => isUnhelpful(piece, unhelpful);
  return [...pieces.filter((it) => !isLast(it)), ...pieces.filter(isLast)];
}

/** Which of these exchanges did not help in their project. */
export async function unhelpfulAmong(
  world: World,
  view: IndexView,
  exchanges: readonly number[],
  rowOf: (source: number) => SourceRow | undefined,
): Promise<boolean[]> {
  const rows = exchanges.map((exchange) => rowOf(view.source[exchange]!));
  const projects = [...new Set(rows.flatMap((row) => row?.project ?? []))];
  const lowered = await unhelpfulSources(
    world,
    projects.map((projectId) => ({ projectId })),
  );
  if (lowered.exchanges.size === 0) return exchanges.map(() => false);
  return exchanges.map((exchange, at) => {
    const row = rows[at];
    return row !== undefined && lowered.exchanges.has(exchangeId(view, row, exchange));
  });
}

/** As lists of exchanges have it: by the place of its first line. */
function exchangeId(view: IndexView, row: SourceRow, exchange: number): string {
  for (const [first, count] of view.runs(row.id))
    for (let line = first; line < first + count; line++)
      if (view.exchange[line] === exchange)
        return `ex_${shortHash(`${row.name}:${view.places([line])[0]?.src ?? 0}`, 12)}`;
  return '';
}
