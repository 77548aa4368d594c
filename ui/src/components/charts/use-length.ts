import { onScopeDispose, type ShallowRef, shallowRef, watch } from 'vue';

/** How long an element is in pixels, as wide or as high as it is now. */
export function useLength(
  element: Readonly<ShallowRef<HTMLElement | null>>,
  side: () => 'width' | 'height',
): ShallowRef<number> {
  const length = shallowRef(0);
  const observer = new ResizeObserver(([entry]) => {
    if (entry) length.value = entry.contentRect[side()];
  });
  watch(
    element,
    (now, _, onCleanup) => {
      if (!now) return;
      observer.observe(now);
      onCleanup(() => observer.unobserve(now));
    },
    { immediate: true, flush: 'post' },
  );
  onScopeDispose(() => observer.disconnect());
  return length;
}
