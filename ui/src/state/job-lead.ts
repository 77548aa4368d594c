import type { RouteLocationRaw } from 'vue-router';
import type { Job } from '../api/records.ts';

const care = (query: Record<string, string>): RouteLocationRaw => ({ name: 'care', query });

/** The view that shows what long work came to; undefined where any view may. */
export function leadOfJob({
  kind,
  subject,
  jobId,
}: Pick<Job, 'kind' | 'subject' | 'jobId'>): RouteLocationRaw | undefined {
  const [, projectId, sessionId] = /^([^/\s]+)\/([^/\s]+)$/.exec(subject) ?? [];
  const ofSession = (tab: string): RouteLocationRaw | undefined =>
    projectId === undefined || sessionId === undefined
      ? undefined
      : { name: 'session', params: { projectId, sessionId, tab } };
  switch (kind) {
    case 'plan purge':
      return care({ tab: 'purge', look: jobId });
    case 'purge':
      return care({ tab: 'history' });
    case 'verify':
      return care({ tab: 'health' });
    case 'import':
    case 'export':
      return care({ tab: 'move' });
    case 'decay':
    case 'undo decay':
      return care({ tab: 'age' });
    case 'replay':
      return { name: 'replay' };
    case 'synthesize':
      return { name: 'journal', query: { project: subject } };
    case 'compress':
    case 'prune':
      return ofSession('versions');
    case 'register':
    case 'summarize':
      return ofSession('overview');
    default:
      return undefined;
  }
}
