import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findProject } from '../../../app/find/project.ts';
import type { SearchFilters } from '../../../app/search/filters.ts';
import type { SearchHit } from '../../../app/search/hits.ts';
import type { SearchRequest } from '../../../app/search/request.ts';
import { searchMany, wantsDocuments } from '../../../app/search/search.ts';
import type { World } from '../../../app/world.ts';
import { FAULTS, Fault } from '../../../core/model/fault.ts';
import { asksNothing, parseQuery } from '../../../core/search/query.ts';

type Asked = { query: string; files?: string[]; project?: string };
type BatchRequest = SearchRequest & { id: unknown };

/** Answers one JSON line with one JSON line, in order, all from one state of the index. A bad line gets an error. */
export async function searchBatch(world: World, defaults: Omit<SearchRequest, 'query'>): Promise<void> {
  const answer = async (id: unknown, hits: SearchHit[], error?: Fault) => {
    if (error !== undefined) process.exitCode = FAULTS['bad-input'].exit;
    const failure = error === undefined ? {} : { error: { code: error.code, message: error.message } };
    const line = `${JSON.stringify({ id, hits: hits.map(shortHit), ...failure })}\n`;
    if (!process.stdout.write(line)) await once(process.stdout, 'drain');
  };
  const onFound = (request: BatchRequest, found: { hits: SearchHit[] }) => answer(request.id, found.hits);
  const documents = wantsDocuments(defaults.filters?.kinds);
  await searchMany(world, requests(world, defaults, answer), onFound, { documents });
}

async function* requests(
  world: World,
  defaults: Omit<SearchRequest, 'query'>,
  answer: (id: unknown, hits: SearchHit[], error?: Fault) => Promise<void>,
): AsyncIterable<BatchRequest> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const value = parsed(line);
    const id = idOf(value);
    try {
      const asked = readAsked(value, number);
      const filters: SearchFilters = { ...defaults.filters };
      if (asked.files !== undefined) filters.files = asked.files;
      if (asked.project !== undefined) filters.project = await findProject(world, asked.project);
      const nothing = asksNothing(parseQuery(asked.query)) && (filters.files ?? []).length === 0;
      if (nothing) await answer(id, []);
      else yield { ...defaults, id, query: asked.query, filters };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      await answer(id, [], error);
    }
  }
}

function readAsked(value: unknown, number: number): Asked {
  const fault = (what: string) => new Fault('bad-input', `Line ${number} ${what}.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault('is not a JSON object');
  const { query, files, project } = value as Record<string, unknown>;
  if (typeof query !== 'string') throw fault('has no "query" string');
  if (files !== undefined && files !== null && !isTexts(files))
    throw fault('has "files" that is not a list of strings');
  if (project !== undefined && project !== null && typeof project !== 'string')
    throw fault('has a "project" that is not a string');
  return {
    query,
    ...(files ? { files: files as string[] } : {}),
    ...(project ? { project: project as string } : {}),
  };
}

/** Whatever else is wrong with a line: who asked it must know which one it was. */
function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function shortHit(hit: SearchHit): Record<string, unknown> {
  const { kind, sessionId, messageId, project, role, ts, score, snippet } = hit;
  return { ...(kind === 'turn' ? {} : { kind }), sessionId, messageId, project, role, ts, score, snippet };
}
