/** Down and up go from one thing of a list to the next; at its ends the key does what it always does. */
export function moveFocus(event: KeyboardEvent, things = 'button, a'): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0 || event.altKey || event.ctrlKey || event.metaKey || !(event.currentTarget instanceof Element))
    return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(things)].filter(
    (it) => !it.hasAttribute('disabled'),
  );
  const at = all.findIndex((it) => it.contains(document.activeElement));
  const next = all[at + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
