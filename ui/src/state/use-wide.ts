import { onScopeDispose, type ShallowRef, shallowRef } from 'vue';

/** Whether the window is at least this wide, as it changes. */
export function useWide(least: string): ShallowRef<boolean> {
  const media = matchMedia(`(min-width: ${least})`);
  const isWide = shallowRef(media.matches);
  const changed = () => (isWide.value = media.matches);
  media.addEventListener('change', changed);
  onScopeDispose(() => media.removeEventListener('change', changed));
  return isWide;
}
