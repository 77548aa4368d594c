import { askStatements, statementSource } from '../../core/layers/ask.ts';
import { settledStatements } from '../../core/layers/facts/settled-statements.ts';
import type { ModelWords } from '../../core/layers/facts/worded-statements.ts';
import { readStatements } from '../../core/layers/read.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import type { SessionRow } from '../find/sessions.ts';
import { askModel } from '../model/call.ts';
import { type Engine, engineLabel, type ModelOptions } from '../model/engine.ts';
import type { World } from '../world.ts';
import { modelWordsFile, readModelWords } from './statement-files.ts';
import { offlineStatements } from './statements.ts';
import { dropLayers, updateLayers } from './update.ts';

/** Has a model word and merge the statements of a session that it has not worded yet. */
export async function wordStatements(
  world: World,
  engine: Engine,
  row: SessionRow,
  options: ModelOptions = {},
): Promise<{ worded: number; missing: number }> {
  const pending = await pendingStatements(world, row);
  if (pending.length === 0) return { worded: 0, missing: 0 };
  const sources = pending.map(statementSource);
  const place = { project: row.projectId, session: row.sessionId };
  const request = { use: 'statements' as const, ...askStatements(sources), ...place };
  const answer = await askModel(world, engine, request, {
    signal: options.signal,
    isSound: (text, end) => readStatements(text, end, sources).length > 0,
  });
  const words: ModelWords = await readModelWords(world, row.projectId, row.sessionId);
  let worded = 0;
  for (const { text, of } of readStatements(answer.text, answer.end, sources)) {
    const [first = '', ...others] = of.map((at) => pending[at]!.id);
    words[first] = { text, with: others, by: engineLabel(engine) };
    worded += of.length;
  }
  if (worded > 0) {
    const file = `${JSON.stringify({ format: 1, statements: words }, null, 1)}\n`;
    await world.archive.files.write(row.projectId, modelWordsFile(row.sessionId), file);
    await dropLayers(world, row.projectId);
    await updateLayers(world, row.projectId);
  }
  return { worded, missing: pending.length - worded };
}

/** Statements of this user's sessions without words of a model. What a user settled stays in its words. */
export async function pendingStatements(world: World, row: SessionRow): Promise<SessionStatement[]> {
  if (row.by !== undefined) return [];
  const statements = await offlineStatements(world, row.projectId, row);
  const words = await readModelWords(world, row.projectId, row.sessionId);
  const known = new Set(Object.entries(words).flatMap(([id, it]) => [id, ...it.with]));
  const edits = (await world.archive.open(row.projectId))?.manifest.factEdits ?? [];
  const settled = settledStatements(statements, edits);
  return statements.filter(({ id }) => !known.has(id) && !settled.has(id));
}
