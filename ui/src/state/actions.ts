import { computed, onScopeDispose, shallowReactive } from 'vue';

/** Something that can be done here: listed in the palette, and by its keys in the help. */
export type Action = {
  id: string;
  title: string;
  /** Where it belongs, as `Go to` or `Session`. */
  group: string;
  /** As `ctrl+k`, `ctrl+shift+m`, `?`; `g m` is one key after the other. */
  keys?: string | readonly string[];
  /** Other names by which people search for it. */
  also?: string;
  /** Not in the palette, but in the help. */
  hidden?: boolean;
  run: () => void;
};

type Offer = readonly Action[] | (() => readonly Action[]);

const registered = shallowReactive(new Map<symbol, Offer>());

export const actions = computed(() =>
  [...registered.values()].flatMap((offer) => (typeof offer === 'function' ? offer() : offer)),
);

/** Offers actions as long as the component is there; a function where they change. */
export function useActions(offered: Offer): void {
  const owner = Symbol();
  registered.set(owner, offered);
  onScopeDispose(() => registered.delete(owner));
}

export function keysIn({ keys }: Pick<Action, 'keys'>): readonly string[] {
  return keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;
}

/** `Ctrl+Shift+M` as pressed, in the words of an action's `keys`. */
export function keysOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const named = event.ctrlKey || event.metaKey || event.altKey;
  const parts = [
    event.ctrlKey || event.metaKey ? 'ctrl' : '',
    event.altKey ? 'alt' : '',
    // A sign such as `?` already needed it.
    event.shiftKey && (named || key.length > 1) ? 'shift' : '',
    key,
  ];
  return parts.filter((part) => part !== '').join('+');
}

/** How long the second key of two may take. */
const SECOND_KEY_MS = 1500;
let first: { key: string; at: number } | undefined;

/** Runs the action whose keys were pressed; what is typed into a field stays there. */
export function onKeys(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const pressed = keysOf(event);
  const typing =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  if (typing && !pressed.startsWith('ctrl+')) return;
  // A dialog keeps the keys to itself.
  if (
    document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') &&
    !pressed.startsWith('ctrl+')
  )
    return;
  const before = first && event.timeStamp - first.at < SECOND_KEY_MS ? `${first.key} ` : '';
  first = undefined;
  const withKeys = (keys: string) => actions.value.findLast((action) => keysIn(action).includes(keys));
  const found = (before === '' ? undefined : withKeys(before + pressed)) ?? withKeys(pressed);
  if (!found) {
    if (
      !event.repeat &&
      actions.value.some((action) => keysIn(action).some((keys) => keys.startsWith(`${pressed} `)))
    )
      first = { key: pressed, at: event.timeStamp };
    return;
  }
  event.preventDefault();
  found.run();
}
