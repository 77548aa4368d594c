// LoCoMo's conversations as ranking sees them. A question reads no files, so thousands can be asked.
import { openView } from '../src/app/search/open-view.ts';
import { parseQuery } from '../src/core/search/query.ts';
import { rankTurns } from '../src/core/search/rank-turns.ts';
import { type Conversation, importConversations, type Question } from './locomo-chats.ts';

/** Ids of turns with their scores, best first. */
export type RankedTurns = { id: string; score: number }[];
export type RankedConversation = Conversation & { rank: (question: string) => RankedTurns };

export const CUTS = [5, 10, 20];

export async function rankedConversations(
  file: string | undefined,
  bench: string,
): Promise<{ conversations: RankedConversation[]; close: () => Promise<void> }> {
  const { world, conversations } = await importConversations(file, bench);
  const { view, close } = await openView(world);
  const ids = new Map<number, string>();
  const open = new Map<string, Uint8Array>();
  for (const row of view.sources()) {
    if (row.kind !== 'session') continue;
    const sources = open.get(row.project) ?? new Uint8Array(view.sourceCount);
    sources[row.id] = 1;
    open.set(row.project, sources);
    const lines = await world.archive.files.read(row.project, row.file);
    for (const [first, count] of view.runs(row.id)) {
      const numbers = Array.from({ length: count }, (_, n) => first + n);
      for (const [n, { at, bytes }] of view.places(numbers).entries())
        ids.set(first + n, JSON.parse(lines!.toString('utf8', at, at + bytes)).id);
    }
  }
  const heads = new Map<string, string>();
  for (const project of await world.archive.projects()) {
    const head = await world.archive.head(project);
    if (head) heads.set(head.displayName, project);
  }
  const ranked = conversations.map((one): RankedConversation => {
    const sources = open.get(heads.get(one.name)!)!;
    const accept = (line: number) => sources[view.source[view.exchange[line]!]!] === 1;
    const rank = (text: string) =>
      rankTurns(view, {
        text,
        terms: parseQuery(text).terms,
        accept,
        plain: { sources },
        times: (lines) => view.places(lines).map(({ ts }) => ts),
      }).map(({ line, score }) => ({ id: ids.get(line)!, score }));
    return { ...one, rank };
  });
  return {
    conversations: ranked,
    close: async () => {
      await close();
      await world.remove();
    },
  };
}

/** The share of a question's evidence among the first hits, for each cut. */
export function recallsOf(found: string[], { evidence }: Question): number[] {
  return CUTS.map((cut) => found.slice(0, cut).filter((id) => evidence.has(id)).length / evidence.size);
}

/** Means over questions, per column, in percent. */
export function percents(rows: number[][]): string[] {
  return CUTS.map((_, at) => ((100 * rows.reduce((sum, row) => sum + row[at]!, 0)) / rows.length).toFixed(1));
}
