import type { ComposedContextRecord } from '../model/composition.ts';
import { shortHash } from '../model/ids.ts';
import type { VersionRecord } from '../model/version.ts';

/** What a version is, whatever it is called: its text and the settings it was made with. */
export function versionContentId({ part, markdownHash, outputTokens, settings }: VersionRecord): string {
  return `vc_${shortHash(JSON.stringify([part, markdownHash, outputTokens, sorted(settings)]), 16)}`;
}

/** What a composition is, whatever it is called: its texts and what was asked for. Labels of versions differ by archive. */
export function compositionContentId(record: ComposedContextRecord): string {
  const { markdownHash = '', jsonlHash = '', request, totalTokens, components, createdAt } = record;
  // Without texts to compare, only a copy is the same.
  const texts =
    markdownHash + jsonlHash === '' ? [record.compositionId, createdAt] : [markdownHash, jsonlHash];
  const sessions = components.map(({ sessionId, order }) => [sessionId, order]);
  const asked = request && [request.totalTokenBudget, request.outputFormat, request.strategy, request.topic];
  return `cc_${shortHash(JSON.stringify([texts, totalTokens, sessions, asked ?? null]), 16)}`;
}

/** The same fields in the same order, independent of the writer. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]);
}
