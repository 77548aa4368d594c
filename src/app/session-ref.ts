import type { ProjectId, SessionId } from '../core/model/ids.ts';

/** Sessions are keyed by project and id. */
export type SessionRef = { project: ProjectId; session: SessionId };

/** The name of a session's own copy. */
export function originalName(session: SessionId): string {
  return `${session}.jsonl`;
}
