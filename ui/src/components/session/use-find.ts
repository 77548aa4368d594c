import { computed, type Ref, shallowRef, watch } from 'vue';
import { useQuery } from '../../state/use-query.ts';
import { useTyped } from '../../state/use-typed.ts';

/** Searches rows for words while they are typed; the address contains them. `show` brings a row into view. */
export function useFind<T>(
  rows: Ref<readonly T[]>,
  textOf: (row: T) => string,
  show: (row: number) => void,
  again: () => unknown,
) {
  const sought = useQuery('find-in');
  const { typed, settle } = useTyped(sought);
  const find = computed(() => sought.value.trim().toLowerCase());
  const hits = computed(() =>
    find.value === ''
      ? []
      : rows.value.flatMap((row, index) => (textOf(row).toLowerCase().includes(find.value) ? [index] : [])),
  );
  const hit = shallowRef(-1);

  function go(by: number): void {
    const { length } = hits.value;
    if (length === 0) return;
    hit.value = hit.value < 0 ? 0 : (hit.value + by + length) % length;
    show(hits.value[hit.value] ?? 0);
  }
  function step(by: number): void {
    // Not searched yet: the search goes to the first one automatically.
    if (typed.value !== sought.value) settle();
    else go(by);
  }
  watch(
    () => [find.value, again()],
    () => {
      hit.value = -1;
      go(1);
    },
    { flush: 'post' },
  );
  return { typed, find, hits, hit, step };
}
