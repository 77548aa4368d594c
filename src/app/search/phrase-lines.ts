import { lineText } from '../../core/search/documents/session.ts';
import { holdsPhrase, type Query, termsOfPhrase } from '../../core/search/query.ts';
import type { IndexView } from '../../ports/search-index.ts';
import type { HitReader } from './hits.ts';

/** Lines of a unit that are read at most before it counts as one without a line to show. */
const MOST_READ = 50;

/** Lines with all words of a phrase, in whatever order: those whose text is worth reading. Undefined: any line may be. */
export function linesWithWords(view: IndexView, phrase: string): Set<number> | undefined {
  const terms = termsOfPhrase(phrase);
  if (terms.length === 0) return undefined;
  // A term that no line has is a name written in another case: the text decides.
  const [fewest = new Uint32Array(), ...others] = terms
    .map((term) => view.postings(term).lines)
    .filter((lines) => lines.length > 0)
    .sort((a, b) => a.length - b.length);
  let held = new Set(fewest);
  for (const lines of others) held = new Set(lines.filter((line) => held.has(line)));
  return held;
}

type PhraseScope = {
  /** For each phrase the lines worth reading; undefined where any line may be. */
  held: (Set<number> | undefined)[];
  unitOf: (line: number) => number;
  accept: (line: number) => boolean;
};

/** Exchanges or sessions, represented by one line each: which of them holds the phrases, and the line to show. */
export class PhraseUnits {
  readonly #reader: HitReader;
  readonly #query: Query;
  readonly #unitOf: (line: number) => number;
  /** For each phrase the lines worth reading, by unit; undefined where any line may be. */
  readonly #held: (Map<number, number[]> | undefined)[];

  constructor(reader: HitReader, query: Query, { held, unitOf, accept }: PhraseScope) {
    this.#reader = reader;
    this.#query = query;
    this.#unitOf = unitOf;
    this.#held = held.map((lines) => lines && grouped([...lines].filter(accept), unitOf));
  }

  /** Decided without reading any text. */
  mayHold(line: number): boolean {
    const unit = this.#unitOf(line);
    return this.#held.every((units) => units?.has(unit) ?? true);
  }

  /**
   * A line that contains the first phrase and nothing that must not be there, in a unit where each other phrase is
   * somewhere; undefined when there is none.
   */
  async lineOf(line: number, lines: () => Iterable<number>): Promise<number | undefined> {
    const unit = this.#unitOf(line);
    const { phrases, not } = this.#query;
    const among = (place: number) => this.#held[place]?.get(unit) ?? lines();
    for (const [place, phrase] of phrases.entries()) {
      if (place === 0) continue;
      if ((await firstWith(this.#reader, among(place), phrase, [])) === undefined) return undefined;
    }
    return firstWith(this.#reader, among(0), phrases[0], not.phrases);
  }
}

function grouped(lines: number[], unitOf: (line: number) => number): Map<number, number[]> {
  const units = new Map<number, number[]>();
  for (const line of lines) {
    const unit = units.get(unitOf(line));
    if (unit) unit.push(line);
    else units.set(unitOf(line), [line]);
  }
  return units;
}

async function firstWith(
  reader: HitReader,
  lines: Iterable<number>,
  phrase: string | undefined,
  without: string[],
): Promise<number | undefined> {
  let left = MOST_READ;
  for (const line of lines) {
    if (left-- === 0) return undefined;
    const l1Line = await reader.line(line);
    if (l1Line === undefined) continue;
    const text = lineText(l1Line);
    if (phrase !== undefined && !holdsPhrase(text, phrase)) continue;
    if (!without.some((other) => holdsPhrase(text, other))) return line;
  }
  return undefined;
}
