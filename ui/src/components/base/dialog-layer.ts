import { onScopeDispose, type Ref, shallowRef, watch } from 'vue';

const open = new Set<Ref<number>>();

/** What is opened later is above: `z-index` of a dialog's shade and of the dialog itself, while it is open. */
export function useDialogLayer(isOpen: () => boolean): { shade: () => number; content: () => number } {
  const layer = shallowRef(0);
  const close = () => open.delete(layer);
  watch(
    isOpen,
    (now) => {
      close();
      if (!now) return;
      layer.value = Math.max(0, ...[...open].map((it) => it.value + 1));
      open.add(layer);
    },
    { immediate: true },
  );
  onScopeDispose(close);
  return { shade: () => 40 + 2 * layer.value, content: () => 41 + 2 * layer.value };
}
