/** A summary is put together from sentences of several places: each on its own line. Code and brackets stay whole. */
export function summaryLines(summary: string): string[] {
  const lines: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < summary.length; at++) {
    const sign = summary[at];
    if (sign === '(' || sign === '[') depth++;
    else if (sign === ')' || sign === ']') depth = Math.max(0, depth - 1);
    const isEnd = sign === '\n' || (depth === 0 && BETWEEN.test(summary.slice(at, at + 3)));
    if (!isEnd) continue;
    lines.push(summary.slice(from, sign === ';' || sign === '\n' ? at : at + 1));
    from = at + 1;
  }
  lines.push(summary.slice(from));
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** `; ` or the end of a sentence before a capital. */
const BETWEEN = /^(?:; \S|[.!?] [A-Z])/;
