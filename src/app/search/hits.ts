import { type ProjectId, shortHash, toSessionId } from '../../core/model/ids.ts';
import { type L1Line, readL1Line } from '../../core/model/l1.ts';
import type { HitKind } from '../../core/model/search.ts';
import { lineText } from '../../core/search/documents/session.ts';
import { type Matches, matchesOf, snippetOf } from '../../core/search/snippet.ts';
import { messageIdOf } from '../../core/transcript/message-id.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import type { DocumentReader } from './document-reader.ts';
import type { SourceRows } from './filters.ts';

const WIDTH = 240;
/** Characters of a text that a snippet is looked for in. */
const NEAR = 1600;
/** Characters that are before a phrase in its snippet. */
const BEFORE = 60;
/** The beginning that a word and its stem share. */
const STEM = 5;

export type SearchHit = {
  /** Something said in a session, or what else memory holds. */
  kind: HitKind;
  /** Empty where a document is of no session. */
  sessionId: string;
  /** The message's uuid, or the id of an imported chat's line. */
  messageId: string;
  project: ProjectId;
  role: string;
  /** Whose words, where they are not this user's own. */
  by?: string;
  ts: string;
  score: number;
  snippet: string;
  title: string;
  branch: string;
  /** The exchange it came from, with its lines in L1. */
  exchange: { id: string; range: [number, number] };
  src: number;
  text: string;
  /** Its file, relative to the project's folder, and where in it: bytes of L1, characters of a document. */
  place: { file: string; at: number; id?: string };
  /** Of an exchange: what was asked, and the sentences that fit the query. */
  passage?: string;
  /** The sentences of the passage, one by one. */
  said?: PassageWords[];
  /** Share of the query's words in the exchange, by how rare they are. */
  coverage?: number;
  /** What later took it back. */
  verdict?: string;
};

/** A sentence of a passage; `src` is the place of its line in the original. */
export type PassageWords = { speaker: string; ts: string; src: number; text: string; verdict?: string };

/** A found line as people and programs get it. */
export class HitReader {
  readonly #world: World;
  readonly #view: IndexView;
  readonly #sources: SourceRows;
  readonly #wanted: Set<string>;
  readonly #phrases: readonly string[];
  readonly #matches: Matches;
  #documents: DocumentReader | undefined;

  constructor(
    world: World,
    view: IndexView,
    sources: SourceRows,
    { terms, phrases = [] }: { terms: string[]; phrases?: readonly string[] },
  ) {
    this.#world = world;
    this.#view = view;
    this.#sources = sources;
    this.#wanted = new Set(terms);
    this.#matches = matchesOf(terms);
    this.#phrases = phrases;
  }

  async line(line: number): Promise<L1Line | undefined> {
    const row = this.#rowOf(line);
    const [place] = this.#view.places([line]);
    if (!row || !place) return undefined;
    const bytes = await this.#world.archive.files.readAt(row.project, row.file, place.at, place.bytes);
    const l1Line = readL1Line(bytes.toString('utf8'));
    if (!l1Line) this.#world.report?.(leftOut(row.file));
    return l1Line;
  }

  /** Where a line is, and nothing that its files would have to be read for. */
  bareHit(line: number, score: number): SearchHit | undefined {
    const row = this.#rowOf(line);
    const [place] = this.#view.places([line]);
    if (!row || !place) return undefined;
    return {
      ...this.#ofSession(row, line, score),
      messageId: '',
      role: '',
      ts: place.ts,
      snippet: '',
      src: place.src,
      text: '',
      place: { file: row.file, at: place.at },
    };
  }

  async hit(line: number, score: number): Promise<SearchHit | undefined> {
    const row = this.#rowOf(line);
    if (row && row.kind !== 'session') return this.#document(row, line, score);
    const l1Line = await this.line(line);
    if (!row || !l1Line) return undefined;
    const text = lineText(l1Line);
    const [place] = this.#view.places([line]);
    return {
      ...this.#ofSession(row, line, score),
      messageId: l1Line.id ?? (await this.#messageId(row, l1Line.src)),
      role: l1Line.role,
      ts: l1Line.ts,
      snippet: snippetOf(this.#near(text), this.#matches, WIDTH).text,
      src: l1Line.src,
      text,
      place: { file: row.file, at: place?.at ?? 0 },
    };
  }

  #ofSession(row: SourceRow, line: number, score: number) {
    return {
      kind: 'turn' as const,
      sessionId: row.name,
      project: row.project,
      ...(row.by === '' ? {} : { by: row.by }),
      score: rounded(score),
      title: row.title,
      branch: row.branch,
      exchange: this.#exchangeOf(row, line),
    };
  }

  /** Undefined when its file contains something else now: the next search has it. */
  async #document(row: SourceRow, line: number, score: number): Promise<SearchHit | undefined> {
    const [place] = this.#view.places([line]);
    const { DocumentReader } = await import('./document-reader.ts');
    this.#documents ??= new DocumentReader(this.#world);
    const document = place && (await this.#documents.read(row, place));
    if (!document) return undefined;
    const { title, text, ts, id, at = 0, by = '', author, sessionId = '', exchange = '', range } = document;
    return {
      kind: row.kind as HitKind,
      sessionId,
      messageId: '',
      project: row.project,
      role: by,
      ...(author === undefined ? {} : { by: author }),
      ts,
      score: rounded(score),
      snippet: snippetOf(this.#near(text), this.#matches, WIDTH).text,
      title,
      branch: '',
      exchange: { id: exchange, range: range ?? [0, 0] },
      src: 0,
      text,
      place: { file: row.file, at, ...(id === undefined ? {} : { id }) },
    };
  }

  /** The part of a long text with the phrase, or else that a snippet is looked for in: taking all of its words apart costs more than the search. */
  #near(text: string): string {
    if (text.length <= WIDTH) return text;
    const lower = text.toLowerCase();
    const quoted = this.#phrases.map((phrase) => lower.indexOf(phrase)).find((at) => at !== -1);
    if (quoted !== undefined) return part(text, quoted - BEFORE, WIDTH - 2);
    if (text.length <= NEAR) return text;
    let first = text.length;
    for (const term of this.#wanted) {
      const at = lower.indexOf(term.slice(0, STEM));
      if (at !== -1 && at < first) first = at;
    }
    return part(text, first === text.length ? 0 : first - NEAR / 4, NEAR);
  }

  #rowOf(line: number): SourceRow | undefined {
    return this.#sources.get(this.#view.source[this.#view.exchange[line]!]!);
  }

  /** The lines of L1 that a line's exchange has, counted from 1, and the id that `exchanges` gives it. */
  #exchangeOf(row: SourceRow, line: number): SearchHit['exchange'] {
    const exchange = this.#view.exchange[line]!;
    let place = 0;
    let first = 0;
    let count = 0;
    let firstLine = line;
    for (const [start, length] of this.#view.runs(row.id)) {
      for (let at = start; at < start + length; at++) {
        place++;
        if (this.#view.exchange[at] !== exchange) continue;
        if (count === 0) {
          first = place;
          firstLine = at;
        }
        count++;
      }
    }
    const [head] = this.#view.places([firstLine]);
    return { id: `ex_${shortHash(`${row.name}:${head?.src ?? 0}`, 12)}`, range: [first, first + count - 1] };
  }

  async #messageId(row: SourceRow, src: number): Promise<string> {
    const path = this.#world.archive.originals.path(row.project, originalName(toSessionId(row.name)));
    let line: Buffer | undefined;
    let isLast = false;
    await this.#world.transcripts.readLines(path, src, (bytes, _, last) => {
      line = Buffer.from(bytes);
      isLast = last;
      return 'stop';
    });
    if (!line) return '';
    const id = row.agent === 'claude-code' ? messageIdOf(line) : undefined;
    if (id !== undefined) return id;
    // All that reads sessions: most lines need none of it.
    const { readLine } = await import('../../core/transcript/read-line.ts');
    return readLine(row.agent as Agent, line, src, isLast).objects[0]?.entries[0]?.id ?? '';
  }
}

/** Either it was rebuilt in this very moment, and the next search has it, or it is damaged. */
function leftOut(file: string): string {
  return `A line of ${file} differs from the search index and was skipped. If this happens again, run: keepsake verify`;
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** From the word at a place on. */
function part(text: string, at: number, length: number): string {
  const from = at <= 0 ? 0 : text.lastIndexOf(' ', at) + 1;
  const to = from + length;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
