import type { TextSpan } from './nodes.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { inlinesOf } from './walk-nodes.ts';

/** A range that cuts through bold, code or a link is widened to all of it, with its markup; a range inside of one stays. */
export function widenRange(text: string, { start, end }: TextSpan): TextSpan {
  const wide = { start, end };
  for (const node of parseMarkdown(text).flatMap(inlinesOf)) {
    if (!('span' in node)) continue;
    const { span } = node;
    const apart = wide.end <= span.start || wide.start >= span.end;
    const inside = wide.start >= span.start && wide.end <= span.end;
    if (apart || inside) continue;
    wide.start = Math.min(wide.start, span.start);
    wide.end = Math.max(wide.end, span.end);
  }
  return wide;
}
