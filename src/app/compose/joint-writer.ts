import { JointText } from '../../core/compress/joint-text.ts';
import { messagesIn } from '../../core/compress/messages-in.ts';
import { negates, wishOf } from '../../core/layers/facts/polarity.ts';
import type { CompressSettings } from '../../core/model/version.ts';
import { overturnedLater } from '../../core/statements/overturned-later.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { wordsOfStatements } from '../compress/stated-words.ts';
import { inSteps } from '../in-steps.ts';
import { renderedText } from './render-turns.ts';
import type { SegmentText, SegmentWriter } from './writer.ts';

/** A stretch, the tokens it is to have, and its place in the composition. */
export type SharedPiece = { piece: number; writer: SegmentWriter; target: number };

/** Tells stretches of several sessions as one: each statement once, and the later verdict counts. */
export class JointWriter {
  readonly #text: JointText;
  readonly #pieces: (SharedPiece & { settings: CompressSettings })[];
  readonly #count: TokenCounter;
  readonly #signal: AbortSignal | undefined;

  private constructor(
    text: JointText,
    pieces: (SharedPiece & { settings: CompressSettings })[],
    count: TokenCounter,
    signal: AbortSignal | undefined,
  ) {
    this.#text = text;
    this.#pieces = pieces;
    this.#count = count;
    this.#signal = signal;
  }

  static async open(
    pieces: readonly SharedPiece[],
    count: TokenCounter,
    signal: AbortSignal | undefined,
  ): Promise<JointWriter> {
    const inTime = [...pieces].sort(byTime);
    const read: Awaited<ReturnType<SegmentWriter['shared']>>[] = [];
    for (const { writer, target } of inTime) read.push(await writer.shared(target));
    const takenBack = overturnedLater(
      read.map(({ statements }, place) => {
        const { record } = inTime[place]!.writer.member;
        // Parts of one session come in their order.
        const sessionId = `${record.sessionId} ${String(place).padStart(6, '0')}`;
        return { sessionId, last: record.lastTimestamp, statements };
      }),
      (earlier, later) => negates(wishOf(earlier), wishOf(later)),
    );
    const latest = inTime.at(-1)?.writer.member;
    const stretches = read.map(({ statements, settings: _, ...stretch }, place) => {
      const isLatest = inTime[place]!.writer.member === latest;
      return { ...stretch, stated: wordsOfStatements(statements, { takenBack, isLatest }) };
    });
    const text = await inSteps(JointText.read(stretches, count), signal);
    const own = inTime.map((piece, place) => ({ ...piece, settings: read[place]!.settings }));
    return new JointWriter(text, own, count, signal);
  }

  /** Undefined: the piece is none of these. */
  async choose(piece: number, target: number): Promise<SegmentText | undefined> {
    const place = this.#pieces.findIndex((it) => it.piece === piece);
    const own = this.#pieces[place];
    if (!own) return undefined;
    const whole = await own.writer.ready(target, true);
    if (whole) return whole;
    const lines = await inSteps(this.#text.fit(place, target), this.#signal);
    const messages = messagesIn(this.#text.turnsOf(place), lines);
    const text = renderedText(lines, messages, this.#count);
    // Keepits that do not fit: what must be there is chosen alone.
    if (text.tokens > target) return own.writer.choose(target, true);
    const reason = `Chosen together with the other sessions to fit ${target} tokens.`;
    return { ...text, more: this.#text.hasMore(place), from: 'composed', settings: own.settings, reason };
  }
}

function byTime(a: SharedPiece, b: SharedPiece): number {
  const [one, other] = [a.writer, b.writer];
  const order = one.member.record.lastTimestamp.localeCompare(other.member.record.lastTimestamp);
  if (order !== 0) return order;
  const sessions = one.member.record.sessionId.localeCompare(other.member.record.sessionId);
  return sessions || one.segment.part.part - other.segment.part.part;
}
