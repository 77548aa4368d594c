import type { ProjectId } from '../../core/model/ids.ts';
import { holdsPhrase, parseQuery, queryMatcher } from '../../core/search/query.ts';
import { snippetOf } from '../../core/search/snippet.ts';
import { termsOf } from '../../core/text/terms.ts';
import { type MemoryText, memoryTexts } from '../rolling/texts.ts';
import type { World } from '../world.ts';
import type { SearchHit } from './hits.ts';
import { search } from './search.ts';

export type MemoryHit = MemoryText & { project: string; score: number; snippet: string };
export type MemorySearchRequest = {
  query: string;
  projects: ProjectId[];
  limit?: number;
  /** The sessions themselves, too. */
  deep?: boolean;
};
export type MemorySearchAnswer = { hits: MemoryHit[]; sessions: SearchHit[]; notes: string[] };

const LIMIT = 10;
const SNIPPET_UNITS = 240;
/** As for exchanges: pieces of some sentences. */
const K1 = 1.2;
const B = 0.75;
/** What people wrote or confirmed counts more than what was taken from sessions. */
const WORTH: Record<MemoryText['kind'], number> = {
  note: 1.3,
  facts: 1.3,
  concepts: 1.1,
  memory: 1,
  archive: 0.95,
  summary: 0.9,
};

type Piece = MemoryText & { project: string; terms: string[] };

/** Finds pieces of memory.md, its archives and summaries, notes, facts and concepts. */
export async function searchMemory(world: World, request: MemorySearchRequest): Promise<MemorySearchAnswer> {
  const limit = request.limit ?? LIMIT;
  const pieces: Piece[] = [];
  for (const project of request.projects) {
    for (const text of await memoryTexts(world, project))
      pieces.push({ ...text, project, terms: termsOf(`${text.title}\n${text.text}`) });
  }
  const hits = rank(pieces, request.query).slice(0, limit);
  if (!request.deep) return { hits, sessions: [], notes: [] };
  const found: SearchHit[] = [];
  const notes = new Set<string>();
  for (const project of request.projects) {
    const answer = await search(world, { query: request.query, limit, filters: { project } });
    found.push(...answer.hits);
    for (const note of answer.notes) notes.add(note);
  }
  return { hits, sessions: found.sort((a, b) => b.score - a.score).slice(0, limit), notes: [...notes] };
}

function rank(pieces: Piece[], text: string): MemoryHit[] {
  const query = parseQuery(text);
  const matches = queryMatcher(query);
  const wanted = pieces.filter((piece) => fits(piece, query));
  const average = pieces.reduce((sum, piece) => sum + piece.terms.length, 0) / Math.max(1, pieces.length);
  const held = new Map<string, number>();
  for (const { terms } of pieces)
    for (const term of new Set(terms.filter(matches))) held.set(term, (held.get(term) ?? 0) + 1);
  const hits: MemoryHit[] = [];
  for (const { terms, ...piece } of wanted) {
    const counts = new Map<string, number>();
    for (const term of terms) if (matches(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (counts.size === 0) continue;
    let score = 0;
    for (const [term, count] of counts) {
      const rarity = Math.log(1 + (pieces.length - held.get(term)! + 0.5) / (held.get(term)! + 0.5));
      score +=
        (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * terms.length) / Math.max(1, average)));
    }
    const snippet = snippetOf(piece.text, matches, SNIPPET_UNITS).text;
    hits.push({ ...piece, score: score * WORTH[piece.kind], snippet });
  }
  const key = (hit: MemoryHit) =>
    `${hit.project}/${hit.file}/${String(hit.at).padStart(9, '0')}/${hit.title}`;
  return hits.sort((a, b) => b.score - a.score || (key(a) < key(b) ? -1 : 1));
}

function fits(piece: Piece, query: ReturnType<typeof parseQuery>): boolean {
  const text = `${piece.title}\n${piece.text}`;
  if (query.phrases.some((phrase) => !holdsPhrase(text, phrase))) return false;
  if (query.not.phrases.some((phrase) => holdsPhrase(text, phrase))) return false;
  return !query.not.terms.some((term) => piece.terms.includes(term));
}
