import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionStatement, StatedKind } from '../../core/model/statement.ts';
import type { KeptWords, PassageExchange, PassageTurn, RetractedWords } from '../../core/passages/passage.ts';
import { oneLine } from '../../core/search/recall-text.ts';
import { cutAtWord } from '../../core/text/sentences.ts';
import type { SourceRow } from '../../ports/search-index.ts';
import { STATEMENTS, statementFileName } from '../layers/statement-files.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';
import { LaterVerdicts } from './later-verdicts.ts';
import { type Unhelpful, unhelpfulSources } from './unhelpful-sources.ts';

const LONGEST_VERDICT = 160;

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

/** What a session took back, and what is true at its end: as its statements say. */
export type SessionVerdicts = Pick<PassageExchange, 'takenBack' | 'stated' | 'kept'> & {
  /** As turns of the exchange that their last quote is from. */
  statements: PassageTurn[];
};

/** `file` is the refined session's. */
type VerdictsOf = Pick<SourceRow, 'project' | 'file' | 'name'>;

/** What the user said of a project's memory: edits of facts, and which words are kept by session. */
type Said = { edits: FactEdit[]; keepits: ReadonlyMap<string, KeptWords[]>; unhelpful: Unhelpful };
const EDITED = '"factId"';
const MARKED = '"keepitMarkers":[{';
const CONFIRMED = 1;

/** Verdicts on sessions, for one question, of themselves, of later sessions and of the user: what belongs to a project or a session is read once. */
export class VerdictReader {
  readonly #world: World;
  readonly #later: LaterVerdicts;
  readonly #said = new Map<ProjectId, Promise<Said>>();
  readonly #sessions = new Map<string, Promise<SessionVerdicts>>();

  constructor(world: World) {
    this.#world = world;
    this.#later = new LaterVerdicts(world);
  }

  of(row: VerdictsOf): Promise<SessionVerdicts> {
    const key = `${row.project}/${row.file}`;
    const found = this.#sessions.get(key) ?? this.#read(row);
    this.#sessions.set(key, found);
    return found;
  }

  async #read({ project, file, name }: VerdictsOf): Promise<SessionVerdicts> {
    const { value } = await readStored(this.#world, project, statementFileName(file), STATEMENTS);
    const all = value?.statements ?? [];
    const said = this.#said.get(project) ?? this.#readSaid(project);
    this.#said.set(project, said);
    const { edits, keepits, unhelpful } = await said;
    const rejected = rejectedIn(edits, name);
    const gone = new Set(rejected.map(({ src }) => src));
    const { replaced, confirmed } = await this.#settled(project, all, edits);
    const still = all
      .filter(({ id }) => !unhelpful.ids.has(id) && replaced.get(id)?.text !== '')
      .filter(({ quotes }) => !quotes.some(({ src }) => gone.has(src)))
      .map((it) => ({ ...it, text: replaced.get(it.id)?.text ?? it.text }));
    const later = all.flatMap(({ id, quotes }) => {
      const verdict = replaced.get(id)?.verdict;
      return verdict === undefined ? [] : quotes.map(({ src, text: was }) => ({ src, was, verdict }));
    });
    const kept = all
      .filter(({ id }) => confirmed.has(id))
      .flatMap(({ quotes }) => quotes.map(({ src, text }) => ({ src, text, weight: CONFIRMED })));
    return {
      ...verdictsIn(still),
      takenBack: [...rejected, ...verdictsIn(all).takenBack, ...later],
      kept: [...kept, ...(keepits.get(name) ?? [])],
    };
  }

  /** Most projects have neither edits nor keepits, and a record of many sessions takes longer to read than all the rest. */
  async #readSaid(project: ProjectId): Promise<Said> {
    const { archive } = this.#world;
    const unhelpful = await unhelpfulSources(this.#world, [{ projectId: project }]);
    const isSaid = (await archive.mayHold(project, EDITED)) || (await archive.mayHold(project, MARKED));
    const manifest = isSaid ? (await archive.open(project))?.manifest : undefined;
    if (!manifest) return { edits: [], keepits: new Map(), unhelpful };
    return { edits: manifest.factEdits ?? [], keepits: await keepitsBySession(manifest), unhelpful };
  }

  /** Statements that a later session or the user took back or worded anew (without a text nothing is left of them), and those that the user confirmed. */
  async #settled(
    project: ProjectId,
    statements: SessionStatement[],
    edits: FactEdit[],
  ): Promise<{ replaced: Map<string, Replaced>; confirmed: ReadonlySet<string> }> {
    const replaced = new Map<string, Replaced>();
    // Only who edits facts needs what makes them.
    const facts =
      edits.length === 0 ? undefined : await import('../../core/layers/facts/settled-statements.ts');
    const settled = facts?.settledStatements(statements, edits);
    for (const { id } of statements) {
      const own = settled?.get(id);
      const later = own ? undefined : await this.#later.on(project, id);
      if (own) {
        const text = own.gone ? '' : (own.content ?? '');
        replaced.set(id, own.content === undefined ? { text } : { text, verdict: replacedBy(own.content) });
      } else if (later)
        replaced.set(id, { text: '', verdict: `${later.ts.slice(0, 10)} ${replacedBy(wordsOf(later))}` });
    }
    return { replaced, confirmed: facts?.confirmedStatements(statements, edits) ?? new Set() };
  }
}

type Replaced = { text: string; verdict?: string };

/** What the user or, asked to, the agent marked to be kept, as far as it counts. */
async function keepitsBySession(manifest: Manifest): Promise<Map<string, KeptWords[]>> {
  const { rowsOf } = await import('../find/sessions.ts');
  return new Map(
    rowsOf(manifest).map(({ sessionId, keepitMarkers }) => [
      sessionId as string,
      keepitMarkers
        .filter(({ held }) => !held)
        .map(({ src, content, weight }) => ({ src, text: content, weight })),
    ]),
  );
}

/** What decided it in the words of whoever said it. */
function wordsOf({ author, quotes, text }: SessionStatement): string {
  const own = author === 'user' ? quotes.filter(({ by, field }) => by === 'user' && field === 'text') : [];
  return own.length === 0 ? text : own.map((it) => it.text).join(' ');
}

function replacedBy(words: string): string {
  return `replaced by: “${cutAtWord(oneLine(words), LONGEST_VERDICT)}”`;
}

/** Messages of the session that the user marked as not true; all of each. */
function rejectedIn(edits: FactEdit[], session: string): RetractedWords[] {
  return effectiveEdits(edits).flatMap((edit) => {
    if (edit.action !== 'reject') return [];
    const words = cutAtWord(oneLine(edit.note), LONGEST_VERDICT);
    const verdict = words === '' ? 'rejected' : `rejected: “${words}”`;
    return edit.places
      .filter(({ sessionId }) => sessionId === session)
      .map(({ src }) => ({ src, was: '', verdict }));
  });
}

function verdictsIn(statements: SessionStatement[]): Omit<SessionVerdicts, 'kept'> {
  const takenBack = statements.flatMap(({ overturned }) =>
    overturned.flatMap(({ was, by }) => {
      const [first] = by;
      if (!first) return [];
      const words = cutAtWord(oneLine(first.text), LONGEST_VERDICT);
      const verdict = first.by === 'user' ? `rejected: “${words}”` : replacedBy(first.text);
      return was.map(({ src, text }) => ({ src, was: text, verdict }));
    }),
  );
  const stated = statements.flatMap(({ quotes }) => quotes.map(({ src, text }) => ({ src, text })));
  const turns = statements.map(({ kind, text, ts, quotes }): PassageTurn => {
    const src = quotes.at(-1)?.src ?? -1;
    return { kind: 'statement', speaker: SPEAKERS[kind], ts, src, text: oneLine(text) };
  });
  return { takenBack, stated, statements: turns };
}
