import { JointText } from '../../core/compress/joint-text.ts';
import { messagesIn } from '../../core/compress/messages-in.ts';
import { negates, type Wish, wishOf } from '../../core/layers/facts/polarity.ts';
import type { CompressSettings } from '../../core/model/version.ts';
import { overturnedLater } from '../../core/statements/overturn/overturned-later.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { wordsOfStatements } from '../compress/stated-words.ts';
import { inSteps } from '../in-steps.ts';
import { renderedText } from './render-turns.ts';
import type { SegmentText, SegmentWriter } from './writer.ts';

/** A stretch, and the tokens it is to have. */
export type SharedPiece = { writer: SegmentWriter; target: number };

/** Writes ranges of several sessions as one text: each statement once, and the later verdict counts. */
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
    const wishes = new Map<string, Wish>();
    const wish = (text: string): Wish => {
      const known = wishes.get(text) ?? wishOf(text);
      wishes.set(text, known);
      return known;
    };
    const takenBack = overturnedLater(
      read.map(({ statements }, place) => {
        const { record } = inTime[place]!.writer.member;
        // Parts of one session come in their order.
        const sessionId = `${record.sessionId} ${String(place).padStart(6, '0')}`;
        return { sessionId, last: record.lastTimestamp, statements };
      }),
      (earlier, later) => negates(wish(earlier), wish(later)),
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

  /** Whether people talk with each other in all of them. */
  get isChat(): boolean {
    return this.#text.isChat;
  }

  /** What each stretch of a chat is to have with its heading, so that the best messages of all fit; `headingOf` in tokens. */
  async chatShares(
    headingOf: (writer: SegmentWriter) => number,
    budget: number,
  ): Promise<Map<SegmentWriter, number>> {
    const headings = this.#pieces.map(({ writer }) => headingOf(writer));
    const shares = await inSteps(this.#text.shares(headings, budget), this.#signal);
    return new Map(this.#pieces.map(({ writer }, place) => [writer, shares[place]!]));
  }

  /** Undefined: the stretch is none of these. */
  async choose(writer: SegmentWriter, target: number): Promise<SegmentText | undefined> {
    const place = this.#pieces.findIndex((it) => it.writer === writer);
    const own = this.#pieces[place];
    if (!own) return undefined;
    const whole = await own.writer.ready(target, true);
    if (whole) return whole;
    const lines = await inSteps(this.#text.fit(place, target), this.#signal);
    const messages = messagesIn(this.#text.turnsOf(place), lines);
    const text = renderedText(lines, messages, this.#count);
    // Keepits that do not fit: what must be there is chosen alone.
    if (text.tokens > target) return own.writer.choose(target, true);
    const reason = `${this.#selected(own)} to fit ${target.toLocaleString('en')} tokens.`;
    return { ...text, more: this.#text.hasMore(place), from: 'composed', settings: own.settings, reason };
  }

  /** Parts of one session are named, so that no two give the same reason. */
  #selected({ writer }: SharedPiece): string {
    const { sessionId } = writer.member.record;
    const own = this.#pieces.filter((piece) => piece.writer.member.record.sessionId === sessionId);
    const what = own.length > 1 ? `Part ${writer.segment.part.part} selected` : 'Selected';
    return own.length < this.#pieces.length ? `${what} together with the other sessions` : what;
  }
}

function byTime(a: SharedPiece, b: SharedPiece): number {
  const [one, other] = [a.writer, b.writer];
  const order = one.member.record.lastTimestamp.localeCompare(other.member.record.lastTimestamp);
  if (order !== 0) return order;
  const sessions = one.member.record.sessionId.localeCompare(other.member.record.sessionId);
  return sessions || one.segment.part.part - other.segment.part.part;
}
