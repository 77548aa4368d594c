import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import { settledStatements } from '../../core/layers/facts/settled-statements.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionStatement, StatedKind } from '../../core/model/statement.ts';
import type { PassageExchange, PassageTurn, RetractedWords } from '../../core/passages/passage.ts';
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

/** What the statements of sessions, later sessions and the user's edits say of what was said. */
export class VerdictReader {
  readonly #world: World;
  readonly #later: LaterVerdicts;
  readonly #sessions = new Map<string, Promise<SessionVerdicts>>();
  readonly #feedback = new Map<string, Promise<Unhelpful>>();

  constructor(world: World) {
    this.#world = world;
    this.#later = new LaterVerdicts(world);
  }

  /** Each session is read once. */
  of(row: VerdictsOf): Promise<SessionVerdicts> {
    const key = `${row.project}/${row.file}`;
    const known = this.#sessions.get(key) ?? this.#read(row);
    this.#sessions.set(key, known);
    return known;
  }

  async #read({ project, file, name }: VerdictsOf): Promise<SessionVerdicts> {
    const { value } = await readStored(this.#world, project, statementFileName(file), STATEMENTS);
    const all = value?.statements ?? [];
    const edits = (await this.#later.manifest(project))?.factEdits ?? [];
    const rejected = rejectedIn(edits, name);
    const replaced = await this.#replaced(project, all, edits);
    const { ids: unhelpful } = await this.#unhelpful(project);
    const gone = new Set(rejected.map(({ src }) => src));
    const kept = all
      .filter(({ id }) => !unhelpful.has(id))
      .filter(({ id, quotes }) => replaced.get(id)?.text !== '' && !quotes.some(({ src }) => gone.has(src)))
      .map((it) => ({ ...it, text: replaced.get(it.id)?.text ?? it.text }));
    const later = all.flatMap(({ id, quotes }) => {
      const verdict = replaced.get(id)?.verdict;
      return verdict === undefined ? [] : quotes.map(({ src, text: was }) => ({ src, was, verdict }));
    });
    return { ...verdictsIn(kept), takenBack: [...rejected, ...verdictsIn(all).takenBack, ...later] };
  }

  #unhelpful(project: ProjectId): Promise<Unhelpful> {
    const known = this.#feedback.get(project) ?? unhelpfulSources(this.#world, [{ projectId: project }]);
    this.#feedback.set(project, known);
    return known;
  }

  /** By id, statements that a later session or the user took back or worded anew; without a text nothing is left of them. */
  async #replaced(
    project: ProjectId,
    statements: SessionStatement[],
    edits: FactEdit[],
  ): Promise<Map<string, { text: string; verdict?: string }>> {
    const found = new Map<string, { text: string; verdict?: string }>();
    const settled = settledStatements(statements, edits);
    for (const { id } of statements) {
      const own = settled.get(id);
      if (own) {
        const text = own.gone ? '' : (own.content ?? '');
        found.set(id, own.content === undefined ? { text } : { text, verdict: replacedBy(own.content) });
        continue;
      }
      const later = await this.#later.on(project, id);
      if (later)
        found.set(id, { text: '', verdict: `${later.ts.slice(0, 10)} ${replacedBy(wordsOf(later))}` });
    }
    return found;
  }
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

function verdictsIn(statements: SessionStatement[]): SessionVerdicts {
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
