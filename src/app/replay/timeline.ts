import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';

export type TimedSession = { projectId: ProjectId; record: SessionRecord };

/**
 * All sessions in the order in which they ended. What is known at a time is a beginning of that list: a session counts as known
 * when all of it was over.
 */
export class Timeline {
  readonly ended: TimedSession[];
  readonly #places: Map<string, number>;
  /** By place, a hash of all that was known until then. */
  readonly #hashes: string[] = [''];

  constructor(manifests: readonly Manifest[]) {
    this.ended = manifests
      .flatMap(({ projectId, sessions }) =>
        Object.values(sessions).map((record): TimedSession => ({ projectId, record })),
      )
      .filter(({ record }) => record.registered && record.lastTimestamp !== '')
      .sort((a, b) => compare(a.record.lastTimestamp, b.record.lastTimestamp) || compare(keyOf(a), keyOf(b)));
    this.#places = new Map(this.ended.map((it, place) => [keyOf(it), place]));
    for (const { projectId, record } of this.ended) {
      const { sessionId, l1, engine, by } = record;
      const before = this.#hashes.at(-1)!;
      this.#hashes.push(
        shortHash(JSON.stringify([before, projectId, sessionId, l1.bytes, engine, by ?? '']), 16),
      );
    }
  }

  /** How many sessions were over when this one began. */
  knownBefore({ record }: TimedSession): number {
    let [low, high] = [0, this.ended.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ended[middle]!.record.lastTimestamp < record.firstTimestamp) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The same key as long as the first sessions, up to this number, are the same. */
  hashOf(known: number): string {
    return this.#hashes[known]!;
  }

  /** What is known when a session begins. */
  knownAt(session: TimedSession): { known: number; own: number } {
    const own = this.placeOf(session.projectId, session.record.sessionId) ?? -1;
    return { known: this.knownBefore(session), own };
  }

  placeOf(projectId: string, sessionId: string): number | undefined {
    return this.#places.get(`${projectId}/${sessionId}`);
  }

  /** This user's sessions, in the order in which they began. */
  begun(): TimedSession[] {
    return this.ended
      .filter(({ record }) => record.by === undefined && !isOutdated(record) && record.firstTimestamp !== '')
      .sort(
        (a, b) => compare(a.record.firstTimestamp, b.record.firstTimestamp) || compare(keyOf(a), keyOf(b)),
      );
  }
}

function keyOf({ projectId, record }: TimedSession): string {
  return `${projectId}/${record.sessionId}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
