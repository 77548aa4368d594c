import { onScopeDispose, type ShallowRef, shallowRef, watch } from 'vue';
import { type ApiProblem, isAborted, problemFrom } from '../api/problem.ts';

export type Loaded<T> = {
  data: ShallowRef<T | undefined>;
  problem: ShallowRef<ApiProblem | undefined>;
  /** True from the first moment, and while it is loaded again. */
  loading: ShallowRef<boolean>;
  reload(): Promise<void>;
};

/** Loads now, again when what it depends on changes, and drops answers that come too late. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependsOn?: () => unknown,
): Loaded<T> {
  const data = shallowRef<T>();
  const problem = shallowRef<ApiProblem>();
  const loading = shallowRef(true);
  let current = new AbortController();

  async function reload(): Promise<void> {
    current.abort();
    const mine = new AbortController();
    current = mine;
    loading.value = true;
    try {
      const got = await load(mine.signal);
      if (mine.signal.aborted) return;
      data.value = got;
      problem.value = undefined;
    } catch (error) {
      if (mine.signal.aborted || isAborted(error)) return;
      problem.value = problemFrom(error);
    }
    loading.value = false;
  }

  if (dependsOn)
    watch(dependsOn, (now) => {
      // Words name another thing; the same thing that changed stays on the page until its news are there.
      if (typeof now === 'string') data.value = undefined;
      void reload();
    });
  onScopeDispose(() => current.abort());
  void reload();
  return { data, problem, loading, reload };
}
