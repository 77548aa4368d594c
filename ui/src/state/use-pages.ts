import { computed, watch } from 'vue';
import { orReport } from './toasts.ts';
import { useLoaded } from './use-loaded.ts';

type Page = { items: readonly unknown[]; next: string | null };

/** A list that comes page by page. Loaded again, it is as long as it was. */
export function usePages<P extends Page>(
  ask: (after: string | undefined, signal: AbortSignal | undefined) => Promise<P>,
  dependsOn: () => string,
) {
  let wanted = 0;
  watch(
    dependsOn,
    () => {
      wanted = 0;
    },
    { flush: 'sync' },
  );
  const loaded = useLoaded(async (signal) => {
    let page = await ask(undefined, signal);
    while (page.next !== null && page.items.length < wanted)
      page = joined(page, await ask(page.next, signal));
    return page;
  }, dependsOn);

  async function loadMore(): Promise<void> {
    const page = loaded.data.value;
    if (!page?.next) return;
    const got = await orReport(() => ask(page.next ?? undefined, undefined));
    if (!got || loaded.data.value !== page) return;
    loaded.data.value = joined(page, got);
    wanted = loaded.data.value.items.length;
  }
  /** Undefined: all of it is there. */
  const more = computed(() => (loaded.data.value?.next ? loadMore : undefined));
  return { loaded, more };
}

function joined<P extends Page>(page: P, next: P): P {
  return { ...next, items: [...page.items, ...next.items] };
}
