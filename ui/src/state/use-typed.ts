import { onScopeDispose, type Ref, shallowRef, watch } from 'vue';

/** What is typed into a field: it counts a moment after the last key, and at once when the field is left. */
export function useTyped(counts: Ref<string>, waitMs = 200) {
  const typed = shallowRef(counts.value);
  let timer: ReturnType<typeof setTimeout> | undefined;
  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    if (counts.value !== typed.value) counts.value = typed.value;
  }
  watch(typed, () => {
    clearTimeout(timer);
    // Nobody typed it, or it was taken back: a timer would hold off the next change from elsewhere.
    timer = typed.value === counts.value ? undefined : setTimeout(settle, waitMs);
  });
  // Changed elsewhere, as by going back: the field follows, unless someone is typing.
  watch(counts, (now) => {
    if (timer === undefined) typed.value = now;
  });
  onScopeDispose(() => clearTimeout(timer));
  return { typed, settle };
}
