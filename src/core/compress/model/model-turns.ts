import { cutAtWord } from '../../text/sentences.ts';
import { termsOf } from '../../text/terms.ts';
import type { KeptContent, Turn } from '../turn.ts';
import type { VersionLine } from '../write/version-line.ts';
import type { ExchangePiece } from './pieces.ts';
import type { CompressedPiece } from './read.ts';

/** Where a line of a version comes from. */
export type LineOrigin = Pick<VersionLine, 'l1' | 'src'>;

/** A model's text as turns that can be laid out and cut to a budget like any others. `origins` by turn. */
export type ModelTurns = { turns: Turn[]; kept: KeptContent[]; origins: LineOrigin[] };

const LONGEST_ASK = 160;
const MOST_ORIGINS = 3;
/** Of the best match's words: what has fewer says something else. */
const NEARLY = 0.6;

/** `compressed` by piece; of pieces that the model left out only what is kept, and the user's own words, remain. */
export function modelTurns(
  pieces: ExchangePiece[],
  compressed: Map<ExchangePiece, CompressedPiece>,
  weightOf: (marker: string) => number,
): ModelTurns {
  const made: ModelTurns = { turns: [], kept: [], origins: [] };
  let exchange = '';
  let abandoned = false;
  const add = (line: VersionLine, role: Turn['line']['role'], text: string, origin: LineOrigin) => {
    const at = made.turns.length;
    const name = role === 'user' && line.name !== undefined ? { name: line.name } : {};
    made.turns.push({
      line: { ts: line.ts, role, text, ...name, src: at },
      at: at + 1,
      exchange: line.exchange,
      abandoned,
    });
    made.origins.push({ l1: origin.l1, src: origin.src });
    return at;
  };
  const keep = (line: VersionLine) => {
    const at = add(line, line.role === 'user' ? 'user' : 'assistant', line.text, line);
    for (const markerId of line.kept ?? [])
      made.kept.push({ markerId, src: at, content: line.text, weight: weightOf(markerId) });
  };
  for (const piece of pieces) {
    const [first] = piece.lines;
    if (piece.exchange !== exchange) abandoned = first?.abandoned === true;
    if (first && piece.exchange !== exchange && first.form === 'ask' && first.text !== '')
      add(first, first.role === 'user' ? 'user' : 'assistant', cutAtWord(first.text, LONGEST_ASK), first);
    exchange = piece.exchange;
    const parts = compressed.get(piece)?.parts ?? [...piece.kept.keys()].map((kept) => ({ kept }));
    const find = originsIn(piece);
    for (const part of parts) {
      if ('kept' in part) keep(piece.kept.get(part.kept)!);
      else {
        const lines = find(part.text);
        const origin = { l1: lines.flatMap(({ l1 }) => l1), src: lines.flatMap(({ src }) => src) };
        add(lines[0]!, 'assistant', part.text, origin);
      }
    }
  }
  return made;
}

/** The lines of a piece that a text has most words of, in their order. */
function originsIn(piece: ExchangePiece): (text: string) => VersionLine[] {
  const lines = piece.lines.filter(({ form }) => form !== 'kept');
  const candidates = lines.length === 0 ? piece.lines : lines;
  let terms: Set<string>[] | undefined;
  return (text) => {
    terms ??= candidates.map((line) => new Set(termsOf(`${line.name ?? ''} ${line.text}`)));
    const own = new Set(termsOf(text));
    const shared = terms.map((set) => [...own].filter((term) => set.has(term)).length);
    const best = Math.max(...shared);
    const chosen = candidates
      .map((line, at) => ({ line, at, count: shared[at]! }))
      .filter(({ count }) => count >= NEARLY * best && (count > 0 || best === 0))
      .sort((a, b) => b.count - a.count || a.at - b.at)
      .slice(0, best === 0 ? 1 : MOST_ORIGINS)
      .sort((a, b) => a.at - b.at);
    return chosen.map(({ line }) => line);
  };
}
