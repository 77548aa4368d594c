import { mostTokensOf } from '../text/estimate-tokens.ts';
import { type PackedPiece, type TakenPiece, underHeading } from './pack.ts';
import { quote } from './recall-text.ts';

type Count = (text: string) => number;

/** What parts of a text take, counted ahead: `title` at most, `parts` by heading or by a piece's own lines. */
export type KnownTokens = { title: number; parts: ReadonlyMap<string, number> };

/** What a heading adds to a text, as far as the piece below it is counted without it. */
export function headingTokens(heading: string, count: Count): number {
  return count(`\n\n## ${heading}`);
}

/** What a piece adds to a text, without its heading. A text is cut before white space here, where every token ends. */
export function pieceTokens(piece: PackedPiece, count: Count): number {
  return count(`\n\n${piece.source}\n${quote(piece.text)}`);
}

/** Whether some of its lines take no more than all of them: what a quote leaves out of it is never of two lines. */
export function isReadByLine(text: string): boolean {
  return !/\u001b|##/.test(text);
}

/** By which the count of a piece that has none of its own is found. */
export function partKey({ source, text }: PackedPiece): string {
  return `${source}\n${text}`;
}

/**
 * At most so many tokens has what was packed: counts of its parts, each rounded up, add up to no less than the count of the
 * whole. Undefined where one of them is not known.
 */
export function mostPackedTokens(
  taken: readonly TakenPiece[],
  { title, parts }: KnownTokens,
): number | undefined {
  let sum = title + mostTokensOf('\n');
  for (const { piece, text, heading } of underHeading(taken)) {
    const own = text === piece.text ? (piece.tokens ?? parts.get(partKey(piece))) : undefined;
    const above = heading === '' ? 0 : parts.get(heading);
    if (own === undefined || above === undefined) return undefined;
    sum += own + above;
  }
  return sum;
}
