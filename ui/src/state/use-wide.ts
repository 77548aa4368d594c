import { onScopeDispose, type ShallowRef, shallowRef } from 'vue';

/** From here on a list and what is chosen of it are side by side; `lg` in classes. */
export const LIST_AND_DETAIL_WIDTH = '64rem';

/** Whether the window is at least this wide, as it changes. */
export function useWide(least: string): ShallowRef<boolean> {
  const media = matchMedia(`(min-width: ${least})`);
  const isWide = shallowRef(media.matches);
  const changed = () => (isWide.value = media.matches);
  media.addEventListener('change', changed);
  onScopeDispose(() => media.removeEventListener('change', changed));
  return isWide;
}
