import type { ProjectId } from '../../core/model/ids.ts';

/** The answers that were paid for already, by what was asked. */
export function answersFolder(project: ProjectId, session = '_'): string {
  return `model/${project}/${session}`;
}
