/** The words inside every `<tag>` of a text, in their order; undefined if there is none. */
export function insideTags(text: string, tags: readonly string[]): string | undefined {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const next = firstOf(text, tags, at);
    if (!next) break;
    found.push(text.slice(next.from, next.to).trim());
    at = next.end;
  }
  return found.length > 0 ? found.join('\n\n').trim() : undefined;
}

/** A text without the blocks that a client puts around or between a person's words. One that is not closed is talk. */
export function withoutTags(text: string, tags: readonly string[]): string {
  let own = '';
  let at = 0;
  while (at < text.length) {
    const next = firstOf(text, tags, at);
    if (!next) break;
    own += text.slice(at, next.start);
    at = next.end;
  }
  return at === 0 ? text : (own + text.slice(at)).trim();
}

type Block = { start: number; from: number; to: number; end: number };

function firstOf(text: string, tags: readonly string[], at: number): Block | undefined {
  let first: Block | undefined;
  for (const tag of tags) {
    const block = blockOf(text, tag, at);
    if (block && (!first || block.start < first.start)) first = block;
  }
  return first;
}

function blockOf(text: string, tag: string, at: number): Block | undefined {
  for (let start = text.indexOf(`<${tag}`, at); start !== -1; start = text.indexOf(`<${tag}`, start + 1)) {
    const after = text[start + tag.length + 1];
    if (after !== '>' && after !== ' ' && after !== '\n') continue;
    const open = text.indexOf('>', start);
    const to = open === -1 ? -1 : text.indexOf(`</${tag}>`, open);
    return to === -1 ? undefined : { start, from: open + 1, to, end: to + tag.length + 3 };
  }
  return undefined;
}
