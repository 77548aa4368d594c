import type { ProjectId, SessionId } from '../../core/model/ids.ts';

/** Sessions are keyed by project and id. */
export type SessionRef = { project: ProjectId; session: SessionId };

/** The name of the copy of a subagent's own file. */
export function subName(session: SessionId, agentId: string): string {
  return `${session}/subagents/agent-${agentId}.jsonl`;
}

/** The name of a session's own copy. */
export function originalName(session: SessionId): string {
  return `${session}.jsonl`;
}
