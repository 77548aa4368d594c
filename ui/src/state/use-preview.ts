import { onScopeDispose, shallowRef } from 'vue';
import { type ApiProblem, isAborted, problemFrom } from '../api/problem.ts';

/** Asks a moment after the last change; an older question is taken back, so that the server stops working on it. */
export function usePreview<Q, A>(ask: (question: Q, signal: AbortSignal) => Promise<A>, waitMs: number) {
  const answer = shallowRef<A>();
  const problem = shallowRef<ApiProblem>();
  const busy = shallowRef(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = new AbortController();

  function stop(): void {
    clearTimeout(timer);
    current.abort();
    busy.value = false;
  }

  function update(question: Q): void {
    stop();
    const mine = new AbortController();
    current = mine;
    busy.value = true;
    timer = setTimeout(async () => {
      try {
        const got = await ask(question, mine.signal);
        if (mine.signal.aborted) return;
        answer.value = got;
        problem.value = undefined;
      } catch (error) {
        if (mine.signal.aborted || isAborted(error)) return;
        problem.value = problemFrom(error);
      }
      busy.value = false;
    }, waitMs);
  }

  onScopeDispose(stop);
  return { answer, problem, busy, update, stop };
}
