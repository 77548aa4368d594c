/** The range of the source that is selected inside an element, or undefined when nothing of it is. */
export function selectedRange(
  root: Element,
  selection: Selection | null,
): { start: number; end: number } | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return undefined;
  let start: number | undefined;
  let end: number | undefined;
  for (const leaf of root.querySelectorAll<HTMLElement>('[data-at]')) {
    // What is aside counts its places in another source.
    if (leaf.closest('[data-aside]')) continue;
    if (!range.intersectsNode(leaf)) continue;
    const at = Number(leaf.dataset.at);
    const { length } = leaf.textContent ?? '';
    const from = leaf.contains(range.startContainer)
      ? placeIn(range.startContainer, range.startOffset, length)
      : 0;
    const to = leaf.contains(range.endContainer)
      ? placeIn(range.endContainer, range.endOffset, length)
      : length;
    if (to <= from) continue;
    start = Math.min(start ?? Number.POSITIVE_INFINITY, at + from);
    end = Math.max(end ?? 0, at + to);
  }
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** In a text node an offset counts characters, in an element its children: a leaf has one. */
function placeIn(container: Node, offset: number, length: number): number {
  if (container.nodeType === Node.TEXT_NODE) return Math.min(offset, length);
  return offset === 0 ? 0 : length;
}
