/** Runs in the page: what a finger presses and is smaller than 24 pixels, but for links inside of sentences. */
export function smallTargets(): string[] {
  const LEAST = 24;
  const found: string[] = [];
  const inSentence = (it: Element) =>
    getComputedStyle(it).display === 'inline' &&
    [...(it.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
  for (const it of document.querySelectorAll<HTMLElement>(
    'a, button, summary, input, select, textarea, [role=menuitem]',
  )) {
    const box = (
      it instanceof HTMLInputElement && it.closest('label') ? it.closest('label') : it
    )?.getBoundingClientRect();
    if (!box || box.width < 2 || box.height < 2 || !it.checkVisibility({ visibilityProperty: true }))
      continue;
    if (it.closest('.sr-only, .prose, [aria-hidden=true]') || inSentence(it)) continue;
    if (box.width < LEAST - 0.5 || box.height < LEAST - 0.5)
      found.push(
        `${it.tagName} ${(it.textContent?.trim() || it.getAttribute('aria-label') || it.className).slice(0, 40)}: ${Math.round(box.width)} by ${Math.round(box.height)}`,
      );
  }
  return [...new Set(found)];
}

/** Runs in the page: fields whose text is so small that phones zoom into them. */
export function smallFields(): string[] {
  return [
    ...document.querySelectorAll<HTMLElement>('input:not([type=checkbox], [type=radio]), select, textarea'),
  ]
    .filter((it) => it.checkVisibility() && Number.parseFloat(getComputedStyle(it).fontSize) < 16)
    .map((it) => `${it.getAttribute('aria-label') ?? it.id}: ${getComputedStyle(it).fontSize}`);
}
