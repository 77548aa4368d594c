import type { KeySign } from '../../../src/entrypoints/http/page-key.ts';
import type { Inline, Leaf, TextSpan } from './nodes.ts';

const DEEPEST = 6;
/** Signs that belong together are no further apart. */
const FURTHEST = 4000;
/** Brackets in brackets in an address. */
const MOST_OPEN = 32;
const SIGNS = [
  { sign: '**', kind: 'strong' },
  { sign: '__', kind: 'strong' },
  { sign: '~~', kind: 'strike' },
  { sign: '*', kind: 'em' },
  { sign: '_', kind: 'em' },
] as const;

/** Bold, code, links and the like in lines of text. HTML and pictures stay the text that they are. */
export function parseInline(lines: readonly Leaf[]): Inline[] {
  const found: Inline[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) found.push({ kind: 'text', text: '\n', at: line.at - 1 });
    found.push(...new Reader(line).read(0, line.text.length, 0));
  }
  return found;
}

/** `src/cart.ts`, `../docs/a.md#L12`, `a.go:42`: without a scheme, so that it can be nothing but a path. */
const PATH = /^(?:\.{0,2}\/)?[\w@~+.%-]+(?:\/[\w@~+.%-]+)*\.\w{1,8}(?:(?::|#L?)\d[\dL-]*)?$/;

/** Only what leads to another page, never to a script, nor to our own page with a key that is not ours. */
export function isSafeUrl(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s\x00-\x20"<>\\^`{|}]+$/i.test(url) && !givesKey(url);
}

const KEY_HASH: `#${KeySign}` = '#key=';
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]+|0:0)\])$/;

/** Opened, it would take the place of the key in all tabs, and lock them out. */
function givesKey(url: string): boolean {
  if (!url.includes(KEY_HASH)) return false;
  // What the browser can't read either leads nowhere.
  if (!URL.canParse(url)) return true;
  const { hash, hostname, origin } = new URL(url);
  return hash.startsWith(KEY_HASH) && (LOOPBACK.test(hostname) || origin === globalThis.location?.origin);
}

class Reader {
  readonly #text: string;
  readonly #at: number;
  /** From here on there is no second one of a sign: asked once, not for every first one. */
  readonly #none = new Map<string, number>();

  constructor({ text, at }: Leaf) {
    this.#text = text;
    this.#at = at;
  }

  read(from: number, to: number, depth: number): Inline[] {
    const found: Inline[] = [];
    let plain = from;
    let i = from;
    const flush = (end: number) => {
      if (end > plain) found.push({ kind: 'text', ...this.#leaf(plain, end) });
    };
    while (i < to) {
      const step = this.#special(i, to, depth);
      if (!step) {
        i++;
        continue;
      }
      flush(i);
      found.push(...step.nodes);
      i = step.end;
      plain = i;
    }
    flush(to);
    return found;
  }

  #leaf(from: number, to: number): Leaf {
    return { text: this.#text.slice(from, to), at: this.#at + from };
  }

  #span(from: number, to: number): TextSpan {
    return { start: this.#at + from, end: this.#at + to };
  }

  #special(i: number, to: number, depth: number): { nodes: Inline[]; end: number } | undefined {
    switch (this.#text[i]) {
      case '\\':
        return this.#escaped(i, to);
      case '`':
        return this.#code(i, to);
      case '[':
        return depth < DEEPEST ? this.#link(i, to, depth) : undefined;
      case 'h':
      case 'H':
        return this.#address(i, to);
      case '*':
      case '_':
      case '~':
        return depth < DEEPEST ? this.#marked(i, to, depth) : undefined;
      default:
        return undefined;
    }
  }

  #escaped(i: number, to: number) {
    if (i + 1 >= to || !/[!-/:-@[-`{-~]/.test(this.#text[i + 1] ?? '')) return undefined;
    return { nodes: [{ kind: 'text' as const, ...this.#leaf(i + 1, i + 2) }], end: i + 2 };
  }

  #code(i: number, to: number) {
    let run = i;
    while (run < to && this.#text[run] === '`') run++;
    const sign = this.#text.slice(i, run);
    const end = this.#next(sign, run, to);
    if (end < 0 || this.#text[end + sign.length] === '`') {
      // Unmatched: the signs themselves are text.
      return { nodes: [{ kind: 'text' as const, ...this.#leaf(i, run) }], end: run };
    }
    const span = this.#span(i, end + sign.length);
    return { nodes: [{ kind: 'code' as const, span, ...this.#leaf(run, end) }], end: end + sign.length };
  }

  #link(i: number, to: number, depth: number) {
    // A picture is never fetched: it stays as it is written.
    if (this.#text[i - 1] === '!') return undefined;
    const close = this.#next('](', i + 1, to);
    if (close < 0) return undefined;
    const end = this.#closing(close + 2, to);
    if (end < 0) return undefined;
    const url = this.#text.slice(close + 2, end).trim();
    if (PATH.test(url)) return { nodes: [this.#named(i, close, end)], end: end + 1 };
    if (!isSafeUrl(url)) return undefined;
    const inside = this.read(i + 1, close, DEEPEST);
    const span = this.#span(i, end + 1);
    return depth < DEEPEST
      ? { nodes: [{ kind: 'link' as const, url, span, inside }], end: end + 1 }
      : undefined;
  }

  /** A file of the project: the page can't open it. A label that names it is enough, else its path is shown. */
  #named(i: number, close: number, end: number): Inline {
    const label = this.#text.slice(i + 1, close);
    const [path = ''] = this.#text
      .slice(close + 2, end)
      .trim()
      .split(/[#:]/);
    if (!label.includes(path.split('/').at(-1) ?? ''))
      return { kind: 'code', span: this.#span(i, end + 1), ...this.#leaf(close + 2, end) };
    const ticks = /^`[^`]+`$/.test(label) ? 1 : 0;
    return { kind: 'code', span: this.#span(i, end + 1), ...this.#leaf(i + 1 + ticks, close - ticks) };
  }

  #address(i: number, to: number) {
    if (i > 0 && /[\w/]/.test(this.#text[i - 1] ?? '')) return undefined;
    if (!/^https?:\/\//i.test(this.#text.slice(i, i + 8))) return undefined;
    let end = i;
    while (end < to && /[^\s<>"'`|\\^{}]/.test(this.#text[end] ?? ' ')) end++;
    end = this.#addressEnd(i, end);
    const url = this.#text.slice(i, end);
    if (!isSafeUrl(url) || end - i < 9) return undefined;
    const inside = [{ kind: 'text' as const, ...this.#leaf(i, end) }];
    return { nodes: [{ kind: 'link' as const, url, span: this.#span(i, end), inside }], end };
  }

  /** Without what belongs to the sentence: a bracket counts to the address that opens it. */
  #addressEnd(i: number, end: number): number {
    let unopened = 0;
    for (let at = i; at < end; at++) unopened += this.#text[at] === ')' ? 1 : this.#text[at] === '(' ? -1 : 0;
    let last = end;
    for (; last > i; last--) {
      const sign = this.#text[last - 1] ?? '';
      if (sign === ')' ? unopened-- <= 0 : !/[.,:;!?\]*_]/.test(sign)) break;
    }
    return last;
  }

  /** The bracket that ends an address; pairs inside it are part of it. */
  #closing(from: number, to: number): number {
    if (this.#next(')', from, to) < 0) return -1;
    const last = Math.min(to, from + FURTHEST);
    let open = 0;
    for (let at = from; at < last; at++) {
      if (this.#text[at] === '(' && ++open > MOST_OPEN) return -1;
      if (this.#text[at] === ')' && open-- === 0) return at;
    }
    return -1;
  }

  #marked(i: number, to: number, depth: number) {
    const found = SIGNS.find(({ sign }) => this.#text.startsWith(sign, i));
    if (!found) return undefined;
    const { sign, kind } = found;
    const from = i + sign.length;
    if (from >= to || /\s/.test(this.#text[from] ?? ' ')) return undefined;
    // `snake_case` is a name, not a stress.
    if (sign.startsWith('_') && i > 0 && /\w/.test(this.#text[i - 1] ?? '')) return undefined;
    const end = this.#next(sign, from + 1, to);
    if (end < 0 || /\s/.test(this.#text[end - 1] ?? ' ')) return undefined;
    const after = end + sign.length;
    if (sign.startsWith('_') && /\w/.test(this.#text[after] ?? '')) return undefined;
    const inside = this.read(from, end, depth + 1);
    return { nodes: [{ kind, span: this.#span(i, after), inside }], end: after };
  }

  #next(sign: string, from: number, to: number): number {
    const none = this.#none.get(sign);
    if (none !== undefined && from >= none) return -1;
    const end = this.#text.indexOf(sign, from);
    if (end < 0) this.#none.set(sign, from);
    return end >= 0 && end + sign.length <= to && end - from <= FURTHEST ? end : -1;
  }
}
