import type { CompositionRequest } from '../../core/model/composition.ts';
import { parseQuery } from '../../core/search/query.ts';
import { rankTurns } from '../../core/search/rank-turns.ts';
import { openView } from '../search/open-view.ts';
import type { World } from '../world.ts';
import type { Member } from './members.ts';

/** How a session fits what a composition is wanted for. */
export type TopicFit = {
  /** How well each line fits, by its place in L1. */
  lines: Map<number, number>;
  /** Of the whole session, from 0 to 1. */
  relevance: number;
};

/** Turns that are scored at most. */
const CANDIDATES = 5000;
/** A session is as relevant as its best turns. */
const BEST = 10;
/** What it counts that a session changed a file, or was on the branch, in relation to the best turns. */
const TOUCHED = 0.3;
/** Turns that are merely near a good one say little. */
const SHARPNESS = 2;
/** How much a perfect fit counts; `npm run bench -- compose` measures it. */
const STRENGTH = 4;

/** Each session's fit, ranked as a search ranks turns; undefined where no topic is asked for. */
export async function topicFits(
  world: World,
  members: Member[],
  { topic, files = [], branch }: Pick<CompositionRequest, 'topic' | 'files' | 'branch'>,
): Promise<{ fits: TopicFit[]; notes: string[] } | undefined> {
  const query = parseQuery([topic ?? '', ...files, branch ?? ''].join(' '));
  if (query.text === '') return undefined;
  const opened = await openView(world);
  try {
    const { view } = opened;
    const places = new Map(members.map(({ ref }, index) => [`${ref.project}/${ref.session}`, index]));
    const memberOf = new Map<number, number>();
    const sources = new Uint8Array(view.sourceCount);
    for (const row of view.sources()) {
      const index = row.kind === 'session' ? places.get(`${row.project}/${row.name}`) : undefined;
      if (index === undefined) continue;
      memberOf.set(row.id, index);
      sources[row.id] = 1;
    }
    const sourceOf = (line: number) => view.source[view.exchange[line]!]!;
    const ranked = rankTurns(view, {
      text: query.text,
      terms: query.terms,
      accept: (line) => sources[sourceOf(line)] === 1,
      plain: { sources },
      candidates: CANDIDATES,
      tools: files.length > 0,
      times: (lines) => view.places(lines).map(({ ts }) => ts),
    });
    const best = ranked[0]?.score ?? 1;
    const at = view.places(ranked.map(({ line }) => line));
    const tops = members.map((): number[] => []);
    const lines = members.map(() => new Map<number, number>());
    ranked.forEach(({ line, score }, index) => {
      const member = memberOf.get(sourceOf(line));
      if (member === undefined) return;
      const fit = (score / best) ** SHARPNESS;
      lines[member]!.set(at[index]!.at, STRENGTH * fit);
      if (tops[member]!.length < BEST) tops[member]!.push(fit);
    });
    const touched = new Set(files.flatMap((file) => view.sourcesWithFile(file).map(({ source }) => source)));
    const changed = new Set([...touched].map((source) => memberOf.get(source)));
    const raw = members.map(({ record }, index) => {
      const onBranch = branch !== undefined && record.metadata.gitBranches.includes(branch);
      const turns = tops[index]!.reduce((sum, fit) => sum + fit, 0) / BEST;
      return turns + (changed.has(index) ? TOUCHED : 0) + (onBranch ? TOUCHED : 0);
    });
    const most = Math.max(...raw, 1e-9);
    return {
      fits: members.map((_, index) => ({ lines: lines[index]!, relevance: raw[index]! / most })),
      notes: opened.notes,
    };
  } finally {
    await opened.close();
  }
}
