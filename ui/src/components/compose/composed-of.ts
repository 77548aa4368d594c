import type { Answer } from '../../api/call-api.ts';
import { callApi } from '../../api/call-api.ts';
import type { Session } from '../../api/records.ts';
import { titleOf } from '../../state/sessions.ts';
import { dayText } from '../../text/times.ts';
import type { Component } from './compose-form.ts';

export type Composed = Answer<'post /api/memory/compose/preview'>;

/** What the builder shows of a session. */
export type MemberRow = {
  title: string;
  day: string;
  tokens: number;
  session: Session | undefined;
  gone?: boolean;
};

export const keyOf = ({ projectId, sessionId }: Pick<Component, 'projectId' | 'sessionId'>) =>
  `${projectId}/${sessionId}`;

/** A session as a member of a composition; one that is gone is said to be. */
export async function loadMember({ projectId, sessionId }: Component): Promise<MemberRow> {
  if (sessionId === 'current')
    return { title: 'The current session', day: 'now', tokens: 0, session: undefined };
  try {
    const session = await callApi('get /api/memory/sessions/{sessionId}', {
      params: { sessionId },
      query: { project: projectId },
    });
    return {
      title: titleOf(session),
      day: dayText(session.lastTimestamp),
      tokens: session.originalTokens,
      session,
    };
  } catch {
    return {
      title: sessionId.slice(0, 8),
      day: 'no longer there',
      tokens: 0,
      session: undefined,
      gone: true,
    };
  }
}
