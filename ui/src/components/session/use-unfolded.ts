import { onScopeDispose, type ShallowRef, shallowReactive } from 'vue';
import { type Answer, callApi } from '../../api/call-api.ts';
import type { Line } from '../../api/records.ts';
import { orReport } from '../../state/toasts.ts';

type Whole = Answer<'get /api/memory/sessions/{sessionId}/messages/{line}'>;
type Session = { sessionId: string; projectId: string };

/** Calls of tools that are unfolded, by their line; `undefined` while their text is on its way. */
export function useUnfolded(session: Readonly<ShallowRef<Session | undefined>>) {
  const unfolded = shallowReactive(new Map<number, Whole | undefined>());
  const controller = new AbortController();
  onScopeDispose(() => controller.abort());

  async function unfold({ line }: Line): Promise<void> {
    if (unfolded.delete(line) || !session.value) return;
    const { sessionId, projectId } = session.value;
    unfolded.set(line, undefined);
    const whole = await orReport(() =>
      callApi('get /api/memory/sessions/{sessionId}/messages/{line}', {
        params: { sessionId, line: String(line) },
        query: { project: projectId },
        signal: controller.signal,
      }),
    );
    if (!whole) unfolded.delete(line);
    else if (unfolded.has(line)) unfolded.set(line, whole);
  }

  return { unfolded, unfold };
}
