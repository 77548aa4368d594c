import type { ModelWords } from '../../core/layers/facts/worded-statements.ts';
import type { ConceptFile } from '../../core/model/concept.ts';
import type { FactFile } from '../../core/model/fact.ts';
import { conceptFileShape, factFileShape } from '../../core/model/fact-file.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { fields, figure, list, oneOf, record, text } from '../../core/model/shape.ts';
import { type StatementFile, statementFileShape } from '../../core/model/statement-file.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** Files of the layers, apart from what makes them: hooks and searches only read them. */
export const CONCEPTS_FILE = 'memory/concepts.json';
export const FACTS_FILE = 'memory/facts.json';
const REBUILT = 'The next `keepsake sync` rebuilds it from the sessions and your edits.';
export const CONCEPTS: StoredKind<ConceptFile> = {
  schema: conceptFileShape,
  format: ['engine', LAYERS_ENGINE],
  damaged: REBUILT,
  derived: true,
};
export const FACTS: StoredKind<FactFile> = {
  schema: factFileShape,
  format: ['engine', LAYERS_ENGINE],
  damaged: REBUILT,
  derived: true,
};

export const STATEMENTS: StoredKind<StatementFile> = {
  schema: statementFileShape,
  format: ['engine', LAYERS_ENGINE],
  damaged: 'The next `keepsake sync` rebuilds it from the refined session.',
  derived: true,
};

/** Where the exchanges of a refined file are. */
export function exchangeFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.l2.json');
}

export function statementFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.statements.json');
}

/** What later sessions withdrew, by the session that said it: byte offsets of messages, the words, and their replacements. */
export type TakenBackFile = {
  engine: number;
  sessions: Record<string, { id: string; src: number; was: string; by: string }[]>;
};
export const TAKEN_BACK_FILE = 'memory/taken-back.json';
export const TAKEN_BACK: StoredKind<TakenBackFile> = {
  schema: fields({
    engine: oneOf(LAYERS_ENGINE),
    sessions: record(list(fields({ id: text, src: figure, was: text, by: text }))),
  }),
  format: ['engine', LAYERS_ENGINE],
  damaged: 'The next `keepsake sync` rebuilds it from the statements of all sessions.',
  derived: true,
};

/** What a model made of a session's statements, beside what is made offline: that stays as it is. */
export const MODEL_WORDS: StoredKind<{ format: 1; statements: ModelWords }> = {
  schema: fields({
    format: oneOf(1),
    statements: record(fields({ text, with: list(text), by: text })),
  }),
  format: ['format', 1],
  damaged: 'Keepsake uses its offline statements until a model words them again.',
};

export function modelWordsFile(sessionId: string): string {
  return `summaries/${sessionId}/statements.model.json`;
}

export async function readModelWords(
  world: World,
  project: ProjectId,
  sessionId: string,
): Promise<ModelWords> {
  const { value } = await readStored(world, project, modelWordsFile(sessionId), MODEL_WORDS);
  return Object.assign(Object.create(null), value?.statements);
}
