import type { PackedPiece } from '../../core/search/pack.ts';
import type { RecallScope } from '../find/scope.ts';
import { shortIds } from '../find/session.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';
import type { ActionSources } from './action-sources.ts';
import { changedSince } from './changed-since.ts';

/** Hits of a kind that are shown at most. */
export const MOST_AT_HAND = 8;

type Hit = { sessionId: string; ts: string; text: string };

/** What this user's sessions of a project know about the current error, command or file, and how hits are shown. */
export class HitsAtHand {
  readonly world: World;
  readonly scope: RecallScope;
  readonly sources: ActionSources;
  /** Of this user, the newest first. */
  readonly rows: readonly SessionRow[];
  readonly #changedSince: (sessionId: string) => string;
  readonly #short: Map<string, string>;

  constructor(world: World, scope: RecallScope, sources: ActionSources) {
    this.world = world;
    this.scope = scope;
    this.sources = sources;
    this.rows = scope.manifests
      .flatMap(rowsOf)
      .filter((row) => row.registered && row.by === undefined)
      .sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
    this.#changedSince = changedSince(this.rows);
    this.#short = shortIds(scope.manifests.flatMap(({ sessions }) => Object.keys(sessions)));
  }

  /** The same text once, the newest first. */
  newest(section: string, hits: Hit[]): PackedPiece[] {
    const each = [...new Map(hits.map((it) => [it.text, it])).values()];
    return this.pieces(section, each.sort((a, b) => (a.ts < b.ts ? 1 : -1)).slice(0, MOST_AT_HAND));
  }

  pieces(section: string, hits: Hit[]): PackedPiece[] {
    return hits.map(({ sessionId, ts, text }) => ({
      section,
      source: this.source(`${this.session(sessionId)}, ${this.world.clock.local(ts)}`, sessionId),
      text,
    }));
  }

  session(id: string): string {
    return `session ${this.#short.get(id) ?? id}`;
  }

  /** With how much of what the session changed is different now. */
  source(place: string, sessionId: string): string {
    const changed = this.#changedSince(sessionId);
    return changed === '' ? place : `${place}, ${changed}`;
  }
}
