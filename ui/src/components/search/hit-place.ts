import type { RouteLocationRaw } from 'vue-router';
import type { Answer } from '../../api/call-api.ts';

export type Hit = Answer<'get /api/memory/search'>['items'][number];

/** Where a hit leads: to its message, its exchange, its fact, its file. */
export function placeOf(hit: Hit): RouteLocationRaw {
  const { kind, project, sessionId, src, place, exchange } = hit;
  const message = (query: Record<string, string | number>): RouteLocationRaw => ({
    name: 'session',
    params: { projectId: project, sessionId, tab: 'messages' },
    query,
  });
  if (kind === 'turn') return message(src > 0 || hit.messageId !== '' ? { src } : {});
  if (kind === 'exchange')
    return { name: 'exchange', params: { exchangeId: exchange.id }, query: { project } };
  if (kind === 'fact') return { name: 'facts', query: { project, ...(place.id ? { fact: place.id } : {}) } };
  if (kind === 'concept')
    return { name: 'concepts', query: { project, ...(place.id ? { concept: place.id } : {}) } };
  if (kind === 'keepit') return sessionId === '' ? { name: 'keepits', query: { project } } : message({ src });
  if (kind === 'journal') return { name: 'journal', query: { project, file: place.file } };
  return { name: 'memory-files', query: { project, file: place.file.replace(/^memory\//, '') } };
}
