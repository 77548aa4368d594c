import { AGENTS_READ } from '../../core/model/agent.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { keptOutFault, Recording, type ToRecord } from '../find/recording.ts';
import { type LeftOutReason, type SyncReport, unknownAgentProblem } from '../sync-report.ts';
import type { World } from '../world.ts';
import { isUnusedComposition } from './composed-only.ts';
import type { FileIdentity } from './identify-file.ts';
import { type Place, projectsWith } from './place-file.ts';
import { isLeftOut, leaveOut, type SourceCache } from './source-cache.ts';

type Asked = { explicit?: boolean; byName?: boolean };

/** The files that a run leaves out for a reason of their own: counted, and known again by the next run. */
export class LeftOutFiles {
  readonly #world: World;
  readonly #sources: SourceCache;
  readonly #report: SyncReport;
  readonly #asked: Asked;
  readonly #recording: Recording;
  /** Files of no known agent, seen for the first time. */
  readonly #newUnknown: string[] = [];

  constructor(world: World, sources: SourceCache, report: SyncReport, asked: Asked) {
    this.#world = world;
    this.#sources = sources;
    this.#report = report;
    this.#asked = asked;
    this.#recording = new Recording(world);
  }

  note(file: FoundTranscript, why: LeftOutReason): 'skipped' {
    this.#report.leftOut[why]++;
    this.#sources.set(file.path, leaveOut(file, undefined, why));
    return 'skipped';
  }

  unknown(file: FoundTranscript): 'skipped' {
    if (file.size === 0) return 'skipped';
    // A stray file among the agent's own is no failure; one that was asked for is.
    if (this.#asked.explicit) this.#report.problems.push(unknownAgentProblem(file.path));
    else if (!isLeftOut(this.#sources.get(file.path), file)) this.#newUnknown.push(file.path);
    return this.note(file, 'unknownAgent');
  }

  noteUnknown(): void {
    const [first, ...more] = this.#newUnknown;
    if (first === undefined) return;
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    this.#report.notes.push(
      `Skipped, not from an agent that Keepsake supports: ${first}${others}. ${AGENTS_READ}`,
    );
  }

  /** Known by its first lines, and yet nothing in it that anyone said or did, but lines of kinds that are not known. */
  async isNotUnderstood({ agent }: FileIdentity, path: string): Promise<boolean> {
    if (agent === 'claude-code' || agent === 'generic') return false;
    let [isOdd, hasEntry] = [false, false];
    await this.#world.transcripts.readLines(path, 0, (line, at, last) => {
      const { objects, bad } = readLine(agent, line, at, last);
      isOdd ||= bad || objects.some((object) => object.unknown !== undefined);
      hasEntry = objects.some(({ entries }) => entries.some(({ kind }) => kind !== 'title'));
      return hasEntry ? 'stop' : true;
    });
    return isOdd && !hasEntry;
  }

  /** One that was asked for by name, or is in the archive already, is a session like any other. */
  async isUnused(identity: FileIdentity, path: string): Promise<boolean> {
    if (this.#asked.byName || !(await isUnusedComposition(this.#world, identity, path))) return false;
    return (await projectsWith(this.#world, identity.session)).length === 0;
  }

  /** By its session, its folder or its project. */
  async isKeptOut({ path }: FoundTranscript, identity: FileIdentity, place: Place): Promise<boolean> {
    const { seed, session } = place;
    // A subagent may work elsewhere: it belongs to its session.
    const cwd = identity.agentId ? seed.path : identity.cwd || seed.path;
    return this.#isOut(path, {
      session,
      ...(cwd ? { cwd } : {}),
      ...(seed.project ? { project: seed.project } : {}),
    });
  }

  /** The same of a session whose folder is known before it is copied out of another agent's store. */
  async isKeptOutUnread({ path, stage, home, known }: FoundTranscript): Promise<boolean> {
    const what = { session: known?.session, cwd: known?.cwd ?? home?.cwd };
    return stage !== undefined && what.cwd !== undefined && (await this.#isOut(path, what));
  }

  /** A user who names such a file learns why it is refused. */
  async #isOut(path: string, what: ToRecord): Promise<boolean> {
    const out = await this.#recording.keptOut(what);
    if (out && this.#asked.byName) throw keptOutFault(out, path);
    return out !== undefined;
  }
}
