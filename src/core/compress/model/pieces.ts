import { shortHash } from '../../model/ids.ts';
import type { TokenCounter } from '../../text/tokens.ts';
import { layout } from '../write/layout.ts';
import type { VersionLine } from '../write/version-line.ts';

/** A stretch of one exchange that a model compresses. */
export type ExchangePiece = {
  exchange: string;
  lines: VersionLine[];
  /** What the model gets to read: a mark replaces what is kept word for word. */
  text: string;
  /** By its mark. */
  kept: Map<string, VersionLine>;
  tokens: number;
  /** Tokens that the result may take. */
  target: number;
};

export type PieceOptions = {
  count: TokenCounter;
  /** The number of tokens of the source that become one. */
  share: number;
  /** Tokens of a piece. */
  largest: number;
};

const LEAST_TARGET = 20;
/** Characters of a token in prose, for a first cut. */
const TOKEN_LENGTH = 3;
const TAG = /<(\/?)(exchange)/gi;

/** Lines as pieces, exchange by exchange; long exchanges are several. */
export function exchangePieces(lines: VersionLine[], options: PieceOptions): ExchangePiece[] {
  const content = lines.filter(({ form }) => form !== 'title' && form !== 'gap');
  const nonce = freeNonce(content.map(({ text }) => text).join('\n'));
  const pieces: ExchangePiece[] = [];
  let marks = 0;
  let own: VersionLine[] = [];
  let tokens = 0;
  const close = () => {
    if (own.length > 0) {
      const [piece, used] = pieceOf(own, nonce, marks, options);
      pieces.push(piece);
      marks = used;
    }
    own = [];
    tokens = 0;
  };
  for (const line of content.flatMap((it) => stretches(it, options.largest))) {
    const cost = line.form === 'kept' ? 0 : options.count(line.text);
    if (own.length > 0 && (own[0]!.exchange !== line.exchange || tokens + cost > options.largest)) close();
    own.push(line);
    tokens += cost;
  }
  close();
  return pieces;
}

function pieceOf(
  lines: VersionLine[],
  nonce: string,
  before: number,
  options: PieceOptions,
): [ExchangePiece, number] {
  let marks = before;
  const kept = new Map<string, VersionLine>();
  const shown = lines.map((line): VersionLine => {
    if (line.form !== 'kept') return { ...line, text: line.text.replace(TAG, '<$1 $2') };
    const mark = `{{KEEP-${nonce}-${++marks}}}`;
    kept.set(mark, line);
    const { ts, l1, src, exchange } = line;
    return { form: 'said', role: 'assistant', text: mark, ts, l1, src, exchange };
  });
  const text = layout(shown).markdown.trim();
  const tokens = options.count(text);
  const target = Math.max(LEAST_TARGET, Math.ceil(tokens / options.share));
  return [{ exchange: lines[0]!.exchange, lines, text, kept, tokens, target }, marks];
}

/** No text may hold a mark of its own. */
function freeNonce(text: string): string {
  let nonce = shortHash(text, 4);
  while (text.includes(`{{KEEP-${nonce}`)) nonce = shortHash(nonce, 4);
  return nonce;
}

/** A line that is longer than a piece, cut between words; what is kept is never cut. */
function stretches(line: VersionLine, largest: number): VersionLine[] {
  const most = largest * TOKEN_LENGTH;
  if (line.form === 'kept' || line.text.length <= most) return [line];
  const parts: VersionLine[] = [];
  for (let from = 0; from < line.text.length; ) {
    const to = endOf(line.text, from, most);
    parts.push({
      ...line,
      ...(from > 0 && line.form === 'ask' ? { form: 'said' as const } : {}),
      text: line.text.slice(from, to),
    });
    from = to;
  }
  return parts;
}

function endOf(text: string, from: number, most: number): number {
  if (text.length - from <= most) return text.length;
  for (const sign of ['\n', ' ']) {
    const at = text.lastIndexOf(sign, from + most - 1);
    if (at > from + most / 2) return at + 1;
  }
  const unit = text.charCodeAt(from + most - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? from + most - 1 : from + most;
}
