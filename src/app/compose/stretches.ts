import { allocate } from '../../core/compose/allocate.ts';
import type { FitPiece } from '../../core/compose/fill-budget.ts';
import type { CompositionRequest } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { readLinesOf } from '../find/read-lines-of.ts';
import { isBy } from '../recall/topic.ts';
import type { SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { JointWriter, type SharedPiece } from './joint-writer.ts';
import type { Member } from './members.ts';
import { sourceOf } from './open-sources.ts';
import { type ComposedSegment, composedSegments, type Want, wantsOf } from './segments.ts';
import type { TopicFit } from './topic.ts';
import { type SegmentText, SegmentWriter } from './writer.ts';

type Stretch = { writer: SegmentWriter; fixed: SegmentText | undefined };

/** Tokens of a member: all there is to say, what must be said, and of that what was asked for by name. */
export type StretchClaim = { need: number; least: number; fixed: number };

/** The agent of imported chats. */
const CHAT = 'generic';
/** More sessions than these are not all held in memory at once. */
const HELD = 12;

type Options = { lenient?: (note: string) => void; signal?: AbortSignal; preview?: true };

type Chosen = { members: Member[]; request: CompositionRequest; fits: TopicFit[] | undefined };

/** The stretches of each member, opened when they are needed. */
export class Stretches {
  readonly #world: World;
  readonly #members: Member[];
  readonly #request: CompositionRequest;
  readonly #fits: TopicFit[] | undefined;
  readonly #options: Options;
  readonly #wants: Map<number, Want>[];
  readonly #opened = new Map<number, Promise<Stretch[]>>();

  constructor(world: World, { members, request, fits }: Chosen, options: Options) {
    this.#world = world;
    this.#members = members;
    this.#request = request;
    this.#fits = fits;
    this.#options = options;
    // All of them first: what is missing is reported before anything is read.
    this.#wants = members.map(({ record, asked }) => wantsOf(record, asked, options.lenient));
  }

  /** What a member needs, and must have. Read only where the record does not say. */
  async claim(index: number): Promise<StretchClaim> {
    const { record, asked, pinned } = this.#members[index]!;
    const plain = this.#wants[index]!.size === 0 && !asked.recompress && pinned.length === 0;
    if (plain && this.#request.asOf === undefined && !this.#opened.has(index))
      return { need: record.originalTokens, least: 0, fixed: 0 };
    const own = await this.#open(index);
    const sum = (of: (stretch: Stretch) => number) => own.reduce((all, stretch) => all + of(stretch), 0);
    return {
      need: sum(({ fixed, writer }) => fixed?.tokens ?? Math.max(writer.tokens, writer.least)),
      least: sum(({ fixed, writer }) => fixed?.tokens ?? writer.least),
      fixed: sum(({ fixed }) => fixed?.tokens ?? 0),
    };
  }

  /** A member's tokens to its stretches: by their size, what one leaves to the later ones. */
  async pieces(index: number, tokens: number): Promise<(FitPiece & { member: number; stretch: number })[]> {
    const own = await this.#open(index);
    const claims = own.map(({ fixed, writer }, place) => ({
      need: fixed?.tokens ?? Math.max(writer.tokens, writer.least),
      least: fixed?.tokens ?? writer.least,
      distance: own.length - place,
      weight: Math.max(1, writer.tokens),
    }));
    // The longest first: a last word of three tokens must not push out what was said before it.
    const bySize = [...claims.keys()].sort((a, b) => claims[b]!.weight - claims[a]!.weight || b - a);
    const shares = allocate(claims, tokens, bySize);
    return own.map(({ fixed, writer }, stretch) => ({
      member: index,
      stretch,
      fixed: fixed !== undefined,
      least: fixed?.tokens ?? writer.least,
      // The latest stretch of two sessions alike comes first; stretches of one session stay together.
      distance: this.#members[index]!.distance + (own.length - 1 - stretch) / (own.length + 1),
      target: shares[stretch]!,
      capped: this.#members[index]!.asked.allocation !== undefined,
    }));
  }

  async choose(index: number, place: number, target: number, fresh: boolean): Promise<SegmentText> {
    const { fixed, writer } = (await this.#open(index))[place]!;
    if (fixed) return fixed;
    if (this.#options.signal?.aborted) throw new Fault('cancelled', 'Nothing was composed.');
    const text = await writer.choose(target, fresh);
    if (this.#members.length > HELD) writer.release();
    return text;
  }

  /** The stretches that are neither named nor included whole, to be chosen from together. */
  async join(
    pieces: readonly (FitPiece & { member: number; stretch: number })[],
    count: TokenCounter,
  ): Promise<JointWriter> {
    const shared: SharedPiece[] = [];
    for (const { member, stretch, target, fixed, least } of pieces) {
      if (fixed || target <= least) continue;
      const writer = this.writer(member, stretch);
      if (!(await writer.ready(target, false))) shared.push({ writer, target });
    }
    return JointWriter.open(shared, count, this.#options.signal);
  }

  /** All sessions as one, where people talk with each other in each of them and nothing was asked of one of them. */
  async chats(budget: number, count: TokenCounter): Promise<JointWriter | undefined> {
    const isPlain = ({ record, asked, pinned }: Member, index: number) =>
      record.metadata.agent === CHAT &&
      this.#wants[index]!.size === 0 &&
      !asked.recompress &&
      pinned.length === 0;
    if (!this.#members.every(isPlain)) return undefined;
    const all: SegmentWriter[] = [];
    for (const index of this.#members.keys())
      all.push(...(await this.#open(index)).map(({ writer }) => writer));
    const tokens = all.reduce((sum, writer) => sum + writer.tokens, 0);
    if (tokens <= budget) return undefined;
    const shared = all.map((writer) => ({ writer, target: (budget * writer.tokens) / tokens }));
    const joint = await JointWriter.open(shared, count, this.#options.signal);
    return joint.isChat ? joint : undefined;
  }

  /** The required text of a member, or the shortest text that it can have with this many tokens. */
  async smallest(index: number, tokens: number): Promise<SegmentText[]> {
    const own = await this.#open(index);
    const latest = own.findLastIndex(({ writer }) => writer.tokens > 0);
    const texts: SegmentText[] = [];
    for (const [place, { fixed, writer }] of own.entries()) {
      const target = place === latest ? Math.max(tokens, writer.least) : writer.least;
      texts.push(fixed ?? (await writer.choose(target, true)));
    }
    return texts;
  }

  writer(index: number, place: number): SegmentWriter {
    const writer = this.#writers.get(index)?.[place];
    if (!writer) throw new Fault('internal', 'A stretch was rendered before it was opened.');
    return writer;
  }

  readonly #writers = new Map<number, SegmentWriter[]>();

  #open(index: number): Promise<Stretch[]> {
    const known = this.#opened.get(index);
    if (known) return known;
    const opening = this.#read(index);
    this.#opened.set(index, opening);
    return opening;
  }

  async #read(index: number): Promise<Stretch[]> {
    const member = this.#members[index]!;
    const { asOf } = this.#request;
    const source = await sourceOf(this.#world, member, this.#options.preview);
    const wants = this.#wants[index]!;
    const segments =
      asOf === undefined
        ? await composedSegments(this.#world, member, source, wants)
        : await untilThen(this.#world, source, asOf, wants);
    const topic = this.#fits?.[index]?.lines;
    const stretches: Stretch[] = [];
    for (const segment of segments) {
      const { signal } = this.#options;
      const options = { topic, asOf, signal, minFreshness: this.#request.minFreshness };
      const writer = new SegmentWriter(this.#world, { member, source, segment }, options);
      await writer.prepare();
      stretches.push({ writer, fixed: await writer.fixed() });
      if (this.#members.length > HELD) writer.release();
    }
    this.#writers.set(
      index,
      stretches.map(({ writer }) => writer),
    );
    return stretches;
  }
}

/** The session up to a day as one stretch; its tokens are estimated by how much of L1 there is by then. */
async function untilThen(
  world: World,
  { ref, state, record }: SessionSource,
  asOf: string,
  wants: Map<number, Want>,
): Promise<ComposedSegment[]> {
  const lines = await readLinesOf(world, ref, { file: state.l1.file, bytes: [0, state.l1.bytes], first: 1 });
  const included = lines.filter(({ line }) => isBy(line.ts, asOf));
  if (included.length === 0) return [];
  const tokens = Math.ceil((record.originalTokens * included.length) / lines.length);
  const part = {
    part: 1,
    bytes: [0, state.offset] as [number, number],
    l1: [0, state.l1.bytes] as [number, number],
    l1Line: 1,
    messages: [1, record.originalMessages] as [number, number],
    tokens,
    engine: state.engine,
  };
  const want = wants.get(0)?.how === 'original' ? { how: 'original' as const } : { how: 'auto' as const };
  return [{ part, kind: 'open', versions: [], want }];
}
