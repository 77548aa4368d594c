import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Overturned, SessionStatement, StatedKind } from '../../core/model/statement.ts';
import type { KeptWords, PassageExchange, PassageTurn, RetractedWords } from '../../core/passages/passage.ts';
import { oneLine } from '../../core/search/recall-text.ts';
import { cutAtWord } from '../../core/text/sentences.ts';
import type { SourceRow } from '../../ports/search-index.ts';
import {
  STATEMENTS,
  statementFileName,
  TAKEN_BACK,
  TAKEN_BACK_FILE,
  type TakenBackFile,
} from '../layers/statement-files.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';
import { unhelpfulSources } from './unhelpful-sources.ts';

const LONGEST_VERDICT = 160;
/** How a statement is introduced that may be none: a candidate claims no decision and no rule. */
const CANDIDATE = 'noted';

/** How a statement is introduced. */
const SPEAKERS: Record<StatedKind, string> = {
  decision: 'decided',
  rule: 'rule',
  preference: 'preference',
  lesson: 'lesson',
  solution: 'solved',
  environment: 'environment',
  constraint: 'constraint',
  open: 'left open',
};

/** What a session withdrew, and what is true at its end, from its statements. */
export type SessionVerdicts = Pick<PassageExchange, 'takenBack' | 'stated' | 'kept'> & {
  /** Those that are still true. */
  statements: SessionStatement[];
  /** Of what was taken back, what was so after the session: by hand or by a later one. */
  since: RetractedWords[];
};

/** As an edit has it that says that something is not true. */
const REJECTED = '"action":"reject"';

type Rejection = { session: string; words: RetractedWords };

/** As a record has it that holds a keepit, or an edit of a fact. */
const MARKED = ['"keepitMarkers":[{', '"factId"'];
const CONFIRMED = 1;

/** What the user said of a project: messages that are not true, keepits by session, edits of facts, and statements that did not help. */
type Marked = {
  rejections: Rejection[];
  keepits: ReadonlyMap<string, KeptWords[]>;
  edits: FactEdit[];
  unhelpful: ReadonlySet<string>;
};

/** Verdicts on sessions, for one question: what belongs to a project or a session is read once. */
export class VerdictReader {
  readonly #world: World;
  readonly #marked = new Map<ProjectId, Promise<Marked>>();
  readonly #later = new Map<ProjectId, Promise<TakenBackFile | undefined>>();
  readonly #sessions = new Map<string, Promise<SessionVerdicts>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** `file` is the refined session's. */
  of(row: Pick<SourceRow, 'project' | 'file' | 'name'>): Promise<SessionVerdicts> {
    const key = `${row.project}/${row.file}`;
    const found = this.#sessions.get(key) ?? this.#read(row);
    this.#sessions.set(key, found);
    return found;
  }

  async #read({
    project,
    file,
    name,
  }: Pick<SourceRow, 'project' | 'file' | 'name'>): Promise<SessionVerdicts> {
    const { value } = await readStored(this.#world, project, statementFileName(file), STATEMENTS);
    const all = value?.statements ?? [];
    const marked = this.#marked.get(project) ?? markedIn(this.#world, project);
    this.#marked.set(project, marked);
    const { rejections, unhelpful } = await marked;
    const rejected = rejections.filter(({ session }) => session === name).map(({ words }) => words);
    const gone = new Map(rejected.map(({ src, verdict }) => [src, verdict]));
    // What the agent made of words that are not true is not true either.
    const outcomes = all.flatMap(({ quotes }): RetractedWords[] => {
      const verdict = quotes.map(({ src }) => gone.get(src)).find((it) => it !== undefined);
      return verdict === undefined ? [] : quotes.map(({ src, text }) => ({ src, was: text, verdict }));
    });
    const later = this.#later.get(project) ?? laterVerdicts(this.#world, project);
    this.#later.set(project, later);
    const replaced = takenBackLater(await later, name);
    const since = [...outcomes, ...replaced];
    const places = new Set(replaced.map(({ src, was }) => `${src} ${was}`));
    const still = all.filter(
      ({ id, quotes }) =>
        !unhelpful.has(id) && !quotes.some(({ src, text }) => gone.has(src) || places.has(`${src} ${text}`)),
    );
    const own = [...all.flatMap(({ overturned }) => overturned), ...(value?.takenBack ?? [])];
    const takenBack = [...rejected, ...since, ...own.flatMap(retracted)];
    return { ...statedIn(still), since, takenBack, kept: await keptWords(await marked, name, all) };
  }
}

/** Most projects have none of it, and a record of many sessions takes longer to read than all the rest. */
async function markedIn(world: World, project: ProjectId): Promise<Marked> {
  const { ids: unhelpful } = await unhelpfulSources(world, [{ projectId: project }]);
  const [mayReject, ...may] = await world.archive.mayHold(project, [REJECTED, ...MARKED]);
  const isWanted = mayReject || may.includes(true);
  const manifest = isWanted ? (await world.archive.open(project))?.manifest : undefined;
  const rejections = mayReject ? rejectionsIn(manifest?.factEdits) : [];
  if (!manifest || !may.includes(true)) return { rejections, keepits: new Map(), edits: [], unhelpful };
  const { rowsOf } = await import('../find/sessions.ts');
  const keepits = rowsOf(manifest).map(({ sessionId, keepitMarkers }): [string, KeptWords[]] => [
    sessionId,
    keepitMarkers
      .filter(({ held }) => !held)
      .map(({ src, content, weight }) => ({ src, text: content, weight })),
  ]);
  return { rejections, keepits: new Map(keepits), edits: manifest.factEdits ?? [], unhelpful };
}

/** Words that were marked to be kept, and those of facts that the user confirmed. */
async function keptWords(
  { keepits, edits }: Marked,
  session: string,
  statements: SessionStatement[],
): Promise<KeptWords[]> {
  const own = keepits.get(session) ?? [];
  if (edits.length === 0) return own;
  // Only who edits facts needs what makes them.
  const { confirmedStatements } = await import('../../core/layers/facts/settled-statements.ts');
  const confirmed = confirmedStatements(statements, edits);
  const words = statements.filter(({ id }) => confirmed.has(id)).flatMap(({ quotes }) => quotes);
  return [...own, ...words.map(({ src, text }) => ({ src, text, weight: CONFIRMED }))];
}

async function laterVerdicts(world: World, project: ProjectId): Promise<TakenBackFile | undefined> {
  return (await readStored(world, project, TAKEN_BACK_FILE, TAKEN_BACK)).value;
}

/** What a later session withdrew. */
function takenBackLater(file: TakenBackFile | undefined, session: string): RetractedWords[] {
  const words = file && Object.hasOwn(file.sessions, session) ? file.sessions[session]! : [];
  return words.map(({ src, was, by }) => ({
    src,
    was,
    verdict: `replaced by: “${cutAtWord(oneLine(by), LONGEST_VERDICT)}”`,
  }));
}

/** Messages that the user marked as not true; all of each. */
function rejectionsIn(edits: FactEdit[] | undefined): Rejection[] {
  return effectiveEdits(edits).flatMap((edit) => {
    if (edit.action !== 'reject') return [];
    const note = cutAtWord(oneLine(edit.note), LONGEST_VERDICT);
    const verdict = note === '' ? 'rejected' : `rejected: “${note}”`;
    return edit.places.map(({ sessionId, src }) => ({
      session: sessionId,
      words: { src, was: '', verdict },
    }));
  });
}

function retracted({ was, by: [first] }: Overturned): RetractedWords[] {
  if (!first) return [];
  const words = cutAtWord(oneLine(first.text), LONGEST_VERDICT);
  const verdict = first.by === 'user' ? `rejected: “${words}”` : `replaced by: “${words}”`;
  return was.map(({ src, text }) => ({ src, was: text, verdict }));
}

function statedIn(statements: SessionStatement[]): Omit<SessionVerdicts, 'takenBack' | 'since' | 'kept'> {
  const stated = statements.flatMap(({ quotes }) => quotes.map(({ src, text }) => ({ src, text })));
  return { stated, statements };
}

/** The place of its last quote; -1 for none. */
export function placeOfStatement({ quotes }: SessionStatement): number {
  return quotes.at(-1)?.src ?? -1;
}

/** A statement as a turn of the exchange that its last quote is from. */
export function statementTurn(statement: SessionStatement): PassageTurn {
  const { kind, tier, text, ts } = statement;
  const src = placeOfStatement(statement);
  const speaker = tier === 'shown' ? SPEAKERS[kind] : CANDIDATE;
  return { kind: 'statement', speaker, ts, src, text: oneLine(text) };
}
