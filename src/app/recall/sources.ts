import type { Exchange } from '../../core/layers/exchanges/exchanges.ts';
import { exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { readL1 } from '../find/read-l1.ts';
import type { RecallScope } from '../find/scope.ts';
import { shortIds } from '../find/session.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { ifReadable } from '../or-fault.ts';
import { type SessionVerdicts, VerdictReader } from '../search/session-verdicts.ts';
import type { World } from '../world.ts';
import { staleProjects } from './stale-projects.ts';

export type RecallPiece = PackedPiece & {
  kind: 'rule' | 'pinned' | 'journal' | 'note' | 'memory' | 'summary' | 'stated' | 'topic' | 'latest';
  project: string;
  sessionId: string;
  ts: string;
  exchange?: string;
  /** Of a statement. */
  id?: string;
  /** Whose words, where they are not this user's. */
  by?: string;
};

/** `ex_` and six digits find an exchange; more would take the room of words. */
const EXCHANGE_UNITS = 9;

const SECTION = { pinned: 'Pinned', topic: 'Matching passages', latest: 'Latest' };

export type SourcesRequest = {
  /** The session that asks. */
  except?: string | undefined;
  /** Only sessions of this user's: what is not asked for must be. */
  own?: boolean;
};

/** The sessions that memory is taken from, read once each. */
export class RecallSources {
  /** Without those that an older version of Keepsake read: it may have taken a notice for someone's words. */
  readonly rows: SessionRow[];
  /** How many were left out for that, until a sync reads them again. */
  readonly waiting: number;
  /** Projects of which only sessions and a person's notes can be included. */
  readonly stale: ReadonlySet<string>;
  readonly #world: World;
  readonly #names: Map<string, string>;
  readonly #short: Map<string, string>;
  readonly #lines = new Map<string, Promise<L1Line[]>>();
  readonly #verdicts: VerdictReader;

  static async open(world: World, scope: RecallScope, request: SourcesRequest = {}): Promise<RecallSources> {
    return new RecallSources(world, scope, { stale: await staleProjects(world, scope), ...request });
  }

  private constructor(
    world: World,
    scope: RecallScope,
    { stale, except, own }: SourcesRequest & { stale: ReadonlySet<string> },
  ) {
    this.#world = world;
    this.#verdicts = new VerdictReader(world);
    this.stale = stale;
    const rows = scope.manifests
      .flatMap(rowsOf)
      .filter((row) => row.registered && row.sessionId !== except && !(own && row.by !== undefined));
    this.waiting = rows.filter(isOutdated).length;
    this.rows = rows
      .filter((row) => !isOutdated(row))
      .sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : a.lastTimestamp > b.lastTimestamp ? -1 : 0));
    this.#names = scope.labels;
    this.#short = shortIds(scope.manifests.flatMap((it) => Object.keys(it.sessions)));
  }

  lines(project: string, sessionId: string): Promise<L1Line[]> {
    const key = `${project}/${sessionId}`;
    let lines = this.#lines.get(key);
    if (!lines) {
      const row = this.rows.find((it) => it.projectId === project && it.sessionId === sessionId);
      lines = row === undefined ? Promise.resolve([]) : this.#read(row);
      this.#lines.set(key, lines);
    }
    return lines;
  }

  /** One that is damaged says nothing; the others do. */
  async #read(row: SessionRow): Promise<L1Line[]> {
    return (await ifReadable(readL1(this.#world, row), this.#world.report)) ?? [];
  }

  async exchanges(row: SessionRow): Promise<Exchange[]> {
    return exchangesOf(row.sessionId, await this.lines(row.projectId, row.sessionId));
  }

  /** What was withdrawn in a session or since. */
  verdicts({ projectId: project, sessionId: name, l1 }: SessionRow): Promise<SessionVerdicts> {
    return this.#verdicts.of({ project, file: l1.file, name });
  }

  /** A piece with the line that says where it is from. An exchange names its session when it is opened: twice would take the room of words. */
  piece(
    of: Omit<RecallPiece, 'section' | 'source'> & { kind: keyof typeof SECTION; who?: string },
  ): RecallPiece {
    const { who, ...rest } = of;
    const by = this.rows.find((row) => row.projectId === of.project && row.sessionId === of.sessionId)?.by;
    const source = [
      this.#names.get(of.project),
      by === undefined ? undefined : `by ${inLine(by)}`,
      of.exchange === undefined ? `session ${this.#short.get(of.sessionId) ?? of.sessionId}` : undefined,
      this.#world.clock.local(of.ts),
      who,
      of.exchange?.slice(0, EXCHANGE_UNITS),
    ];
    return {
      ...rest,
      ...(by === undefined ? {} : { by }),
      section: SECTION[of.kind],
      source: source.filter((part) => part !== undefined && part !== '').join(', '),
    };
  }
}
