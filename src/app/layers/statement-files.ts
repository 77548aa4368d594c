import type { ModelWords } from '../../core/layers/facts/worded-statements.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { fields, figure, list, oneOf, record, text } from '../../core/model/shape.ts';
import { type StatementFile, statementFileShape } from '../../core/model/statement-file.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** Apart from what makes them: a hook only reads them. */
export const STATEMENTS: StoredKind<StatementFile> = {
  schema: statementFileShape,
  format: ['engine', LAYERS_ENGINE],
  damaged: 'The next `keepsake sync` makes it again from the refined session.',
  derived: true,
};

export function statementFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.statements.json');
}

/** What later sessions took back, by the session that said it: bytes of messages, the words and those that replaced them. */
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
  damaged: 'The next `keepsake sync` makes it again from the statements of all sessions.',
  derived: true,
};

/** What a model made of a session's statements, beside what is made offline: that stays as it is. */
export const MODEL_WORDS: StoredKind<{ format: 1; statements: ModelWords }> = {
  schema: fields({
    format: oneOf(1),
    statements: record(fields({ text, with: list(text), by: text })),
  }),
  format: ['format', 1],
  damaged: 'Statements are as they are made offline, until a model is asked again.',
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
