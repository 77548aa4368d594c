import type { StretchChoice } from '../../core/compose/fill-budget.ts';
import { hasOwnWords, selectBestVersion } from '../../core/compose/select-version.ts';
import { tiersOf } from '../../core/compress/choose/tiers.ts';
import { type CompressRequest, compressSettings } from '../../core/compress/compress-settings.ts';
import type { JointStretch } from '../../core/compress/joint-text.ts';
import type { Turn } from '../../core/compress/turn.ts';
import type { VersionLine } from '../../core/compress/write/version-line.ts';
import { detectedMarkers, type EffectiveMarker } from '../../core/keepit/overlays.ts';
import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import { rejectedBytes } from '../../core/layers/facts/rejected-places.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import type { CompressSettings, VersionRecord } from '../../core/model/version.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';
import { type MadeVersion, makeVersion } from '../compress/make-version.ts';
import { wordsOfStatements } from '../compress/stated-words.ts';
import { readVersion } from '../compress/version-files.ts';
import { markersThen, markerWeights, marksOf } from '../keepit/marker-outcomes.ts';
import { isBy } from '../recall/topic.ts';
import { linesOfPart } from '../session/parts.ts';
import { readTurns } from '../session/read-part.ts';
import type { SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import type { Member } from './members.ts';
import { recompressRequest } from './recompress-request.ts';
import { type RenderedText, renderedText, renderTurns } from './render-turns.ts';
import type { ComposedSegment } from './segments.ts';

/** What a segment says at some length, and where it is from. */
export type SegmentText = StretchChoice &
  RenderedText & {
    /** `original`, a version, `new` (a version that is still to be stored), `composed`, `none`. */
    from: 'original' | 'new' | 'composed' | 'none' | VersionRecord;
    made?: MadeVersion;
    settings?: CompressSettings;
    reason: string;
  };

const NOTHING: SegmentText = {
  tokens: 0,
  more: true,
  lines: [],
  markdown: '',
  messages: 0,
  from: 'none',
  reason: 'It did not fit into the budget.',
};
const LARGEST_RATIO = 1000;
const ROOM_FOR_ALL = 4;
/** Tokens that marks take beside kept content. */
const AROUND = 8;

export type WriterOptions = {
  /** How well a line fits the topic, by its place in L1. */
  topic?: Map<number, number> | undefined;
  asOf?: string | undefined;
  minFreshness?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** `scores` by a turn's place in L1. */
type ReadStretch = { turns: Turn[]; statements: SessionStatement[]; scores: Map<number, number> };

/** A stretch as it is chosen from together with others. */
type SharedStretch = Omit<JointStretch, 'stated'> & {
  statements: SessionStatement[];
  settings: CompressSettings;
};

/** A stretch of a session, and whose it is. */
type MemberSegment = { member: Member; source: SessionSource; segment: ComposedSegment };

/** Writes one segment at any length. */
export class SegmentWriter {
  readonly #world: World;
  readonly member: Member;
  readonly source: SessionSource;
  readonly segment: ComposedSegment;
  readonly #options: WriterOptions;
  readonly #markers: EffectiveMarker[];
  /** Bytes of messages that the user rejected: no composition says them. */
  readonly #rejected: ReadonlySet<number>;
  #read: Promise<ReadStretch> | undefined;
  #whole: Promise<SegmentText> | undefined;
  /** What must be said of it. */
  least = 0;

  constructor(world: World, { member, source, segment }: MemberSegment, options: WriterOptions) {
    this.#world = world;
    this.member = member;
    this.source = source;
    this.segment = segment;
    this.#options = options;
    const { record } = member;
    const overlays = member.manifest.overlays.filter((it) => it.sessionId === record.sessionId);
    this.#rejected = rejectedBytes(effectiveEdits(member.manifest.factEdits), record.sessionId);
    const now = this.#settings({ ratio: 1 });
    this.#markers = markersThen(detectedMarkers(record), overlays, now);
  }

  get tokens(): number {
    return this.segment.part.tokens;
  }

  /** Its own text is made for the composition alone. */
  get #alone(): boolean {
    return (
      this.segment.kind === 'open' || this.#options.topic !== undefined || this.#options.asOf !== undefined
    );
  }

  /** Finds out what must be said. */
  async prepare(): Promise<void> {
    const [from, to] = this.segment.part.bytes;
    const pinned = this.member.pinned.filter(({ src }) => src >= from && src < to);
    if (pinned.length > 0) this.least = (await this.#barest()).tokens;
  }

  /** The text that was asked for by name; undefined if it is for us to choose. */
  async fixed(): Promise<SegmentText | undefined> {
    const { want, part } = this.segment;
    switch (want.how) {
      case 'auto':
        return undefined;
      case 'original':
        return this.#original('Requested.');
      case 'version':
        return this.#stored(want.record, 'Requested.');
      case 'recompress': {
        const settings = this.#settings(recompressRequest(this.member.asked.recompress ?? {}));
        if (this.#alone) return this.#render(settings, part.tokens, 'Recompressed as requested.');
        return this.#made(settings, 'Recompressed as requested.');
      }
    }
  }

  async choose(target: number, fresh: boolean): Promise<SegmentText> {
    if (target <= 0 && this.least === 0) return NOTHING;
    if (target <= this.least) return this.#barest();
    const ready = await this.ready(target, fresh);
    if (ready) return ready;
    const text = await this.#at(target);
    return text.tokens > target && this.least < text.tokens ? this.#at(target, 'ignore') : text;
  }

  /** What needs no choice: all of it, or a version that a model or the user's own hand made and that fits. */
  async ready(target: number, fresh: boolean): Promise<SegmentText | undefined> {
    const { part, versions } = this.segment;
    if (part.tokens <= target) {
      const whole = await this.#original('The whole session fits.');
      if (whole.tokens <= target) return whole;
    }
    if (fresh || this.#alone) return undefined;
    const best = selectBestVersion(
      {
        originalTokens: part.tokens,
        versions: versions.filter((version) => hasOwnWords(version) && this.#holdsPinned(version)),
      },
      {
        maxTokens: target,
        preferredRatio: this.member.preferredRatio,
        preserveKeepits: true,
        minFreshness: this.#options.minFreshness,
      },
    );
    if (typeof best === 'string') return undefined;
    return this.#stored(best, `Best existing version for ${target.toLocaleString('en')} tokens.`);
  }

  /** Possible text of a session for about this many tokens, to choose from together with other sessions. */
  async shared(target: number): Promise<SharedStretch> {
    this.#read ??= this.#readTurns();
    const { turns, statements, scores } = await this.#read;
    const ratio = Math.min(LARGEST_RATIO, Math.max(1, this.tokens / Math.max(1, target)));
    const at = (keepit?: 'ignore') => {
      const settings = this.#settings({ ratio: roundedUp(ratio), ...(keepit ? { keepit } : {}) });
      return { settings, kept: marksOf(this.#markers, turns, settings, tiersOf(settings)).kept };
    };
    const usual = at();
    const must = usual.kept.reduce((sum, { content }) => sum + this.source.count(content) + AROUND, 0);
    const { settings, kept } = must > target ? at('ignore') : usual;
    const score = this.#options.topic && ((place: number) => scores.get(place) ?? 0);
    return { turns, kept, statements, settings, ratio, ...(score ? { score } : {}) };
  }

  async #at(target: number, keepit?: 'ignore'): Promise<SegmentText> {
    const { tokens } = this.segment.part;
    const ratio = Math.max(1, roundedUp(tokens / target));
    const why = keepit
      ? `Compressed to fit ${target.toLocaleString('en')} tokens; of its keepits only the pinned ones fit.`
      : `Compressed to fit ${target.toLocaleString('en')} tokens.`;
    const settings = this.#settings({ ratio: Math.min(ratio, LARGEST_RATIO), ...(keepit ? { keepit } : {}) });
    const inputTokens = Math.ceil(target * Math.min(ratio, LARGEST_RATIO));
    return this.#render(settings, inputTokens, why);
  }

  /** All that there is to say: what is round it (headings, list marks) counts in no original, so it gets room. */
  async #original(reason: string): Promise<SegmentText> {
    this.#whole ??= this.#render(this.#settings({ ratio: 1 }), ROOM_FOR_ALL * (this.tokens + 100), reason);
    return { ...(await this.#whole), from: 'original', more: false, reason };
  }

  async #made(settings: CompressSettings, reason: string): Promise<SegmentText> {
    const { source, segment } = this;
    const { signal } = this.#options;
    const made = await makeVersion(this.#world, { source, part: segment.part }, settings, { signal });
    const { lines, outputMessages, isAll } = made.compressed;
    const rendered = renderedText(this.#standing(lines), outputMessages, source.count);
    const more = !isAll && rendered.tokens < segment.part.tokens;
    return { ...rendered, more, from: 'new', made, settings, reason };
  }

  async #render(settings: CompressSettings, inputTokens: number, reason: string): Promise<SegmentText> {
    this.#read ??= this.#readTurns();
    const { turns, statements, scores } = await this.#read;
    const rendered = await renderTurns(
      {
        turns,
        stated: wordsOfStatements(statements),
        markers: this.#markers,
        settings,
        inputTokens,
        count: this.source.count,
        topic: this.#options.topic && { score: (at) => scores.get(at) ?? 0 },
        session: this.member.record.sessionId,
        part: this.segment.part.part,
      },
      this.#options.signal,
    );
    return { ...rendered, more: true, from: 'composed', settings, reason };
  }

  async #stored(record: VersionRecord, reason: string): Promise<SegmentText> {
    const { lines } = await readVersion(this.#world, this.source.ref, record);
    const all = [...this.#standing(lines), ...this.#missing(record)];
    const rendered = renderedText(all, record.outputMessages, this.source.count);
    return { ...rendered, more: true, from: record, reason };
  }

  #standing(lines: VersionLine[]): VersionLine[] {
    return lines.filter(({ src }) => !src.some((byte) => this.#rejected.has(byte)));
  }

  /** Pinned since the version was made: it must be there anyway. */
  #missing(record: VersionRecord) {
    const [from, to] = this.segment.part.bytes;
    return this.member.pinned
      .filter(({ src, markerId }) => src >= from && src < to && !record.survived.includes(markerId))
      .map(({ markerId, content, weight, origin, createdAt, src }) => ({
        form: 'kept' as const,
        role: origin,
        text: content,
        ts: createdAt,
        l1: [],
        src: [src],
        kept: [markerId],
        weight,
        exchange: '',
      }));
  }

  #holdsPinned(record: VersionRecord): boolean {
    return this.#missing(record).length === 0;
  }

  async #barest(): Promise<SegmentText> {
    const settings = this.#settings({ ratio: LARGEST_RATIO, keepit: 'ignore' });
    return this.#render(settings, 0, 'Only its pinned keepits fit.');
  }

  #settings(request: CompressRequest): CompressSettings {
    const { record, manifest, config, distance } = this.member;
    const overlays = manifest.overlays.filter((overlay) => overlay.sessionId === record.sessionId);
    const now = markerWeights(detectedMarkers(record), overlays, this.segment.part.bytes);
    // A composition tries many lengths: it asks no model for each of them.
    return compressSettings({ model: 'extractive', ...request }, config, { distance, ...now });
  }

  /** Forgets what it read: many sessions at once would fill the memory. */
  release(): void {
    this.#read = undefined;
    this.#whole = undefined;
  }

  async #readTurns(): Promise<ReadStretch> {
    const { source, segment } = this;
    const { asOf, topic } = this.#options;
    const all = await linesOfPart(this.#world, source, segment.part);
    const lines = all.filter(
      ({ line }) => !this.#rejected.has(line.src) && (asOf === undefined || isBy(line.ts, asOf)),
    );
    const scores = new Map(lines.map(({ from, at }) => [at, topic?.get(from) ?? 0]));
    const { bytes } = segment.part;
    const { agent } = source.state;
    const { turns } = await readTurns(this.#world, { ref: source.ref, agent, bytes, lines });
    return { turns, statements: statementsOf(lines.map(({ line }) => line)), scores };
  }
}

const roundedUp = (ratio: number) => Math.ceil(10_000 * ratio) / 10_000;
