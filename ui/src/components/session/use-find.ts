import { computed, type Ref, shallowRef, watch } from 'vue';
import { useQuery } from '../../state/use-query.ts';
import { useTyped } from '../../state/use-typed.ts';

/** Looks for words in rows while they are typed; the address holds them. `show` brings a row into view. */
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
    // Not yet looked for: that leads to the first one by itself.
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
