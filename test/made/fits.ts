/** Runs in the page: what is wider than the room it has, and whether the whole document scrolls. */
export function unfit(): string[] {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const found: string[] = [];
  if (scrollWidth > innerWidth) found.push(`the document is ${scrollWidth} wide`);
  if (scrollHeight > innerHeight) found.push(`the document is ${scrollHeight} high`);
  for (const it of document.querySelectorAll<HTMLElement>('body *')) {
    // Code and tables scroll sideways by themselves.
    if (it.matches('pre, textarea, .prose-table, [class*=overflow-x-auto]')) continue;
    if (!/auto|scroll/.test(getComputedStyle(it).overflowY) || it.scrollWidth <= it.clientWidth + 1) continue;
    found.push(`${it.tagName} ${it.className}: ${it.scrollWidth} in ${it.clientWidth}`);
  }
  return found;
}
