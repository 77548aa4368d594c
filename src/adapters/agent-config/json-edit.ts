import { createScanner, type Node } from 'jsonc-parser';

type Edit = { offset: number; length: number; content: string };
type Sketch = (indent: string | undefined) => string;

/** Of jsonc-parser's `SyntaxKind`, which has no values outside its own build. */
const KINDS = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, blanks: 15, end: 17 } as const;

/** A member more at the end of an object or a list, as the document is written; every other byte stays. */
export function withMember(text: string, parent: Node, sketch: Sketch): string {
  const last = parent.children?.at(-1);
  if (isInOneLine(text, parent)) {
    const at = last ? endOf(last) : parent.offset + 1;
    const { comma } = behind(text, at);
    const member = sketch(undefined);
    return spliced(text, [
      last
        ? { offset: comma ?? at, length: 0, content: comma === undefined ? `, ${member}` : ` ${member},` }
        : { offset: at, length: 0, content: member },
    ]);
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = lineIndent(text, parent.offset);
  if (!last) {
    const isOpen = text.slice(parent.offset, endOf(parent)).includes('\n');
    const indent = `${outer}${unitOf(text)}`;
    const content = `${eol}${indent}${sketch(indent)}${isOpen ? '' : `${eol}${outer}`}`;
    return spliced(text, [{ offset: parent.offset + 1, length: 0, content }]);
  }
  const indent = isFirstInLine(text, last.offset) ? lineIndent(text, last.offset) : `${outer}${unitOf(text)}`;
  const { comma, lineEnd } = behind(text, endOf(last));
  const member = `${eol}${indent}${sketch(indent)}`;
  if (comma !== undefined) return spliced(text, [{ offset: lineEnd, length: 0, content: `${member},` }]);
  return spliced(text, [
    { offset: endOf(last), length: 0, content: ',' },
    { offset: lineEnd, length: 0, content: member },
  ]);
}

/** The document without one of the members, with the line it was in and one comma. */
export function withoutMember(text: string, member: Node): string {
  const parent = member.parent;
  if (!parent) return text;
  const siblings = parent.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const { comma } = behind(text, endOf(member));
  let start = member.offset;
  while (/[ \t]/.test(text[start - 1] ?? '')) start--;
  const behindIt = text.slice(comma ?? endOf(member)).split('\n', 1)[0] ?? '';
  // With something else behind it the line stays: a comment may end the one above.
  const isOwnLine = text[start - 1] === '\n' && /^[ \t\r]*(?:\/\/.*|\/\*.*\*\/[ \t\r]*)?$/.test(behindIt);
  if (isOwnLine) start -= text[start - 2] === '\r' ? 2 : 1;
  const edits: Edit[] = [{ offset: start, length: endOf(member) - start, content: '' }];
  if (comma !== undefined) edits.push({ offset: comma - 1, length: 1, content: '' });
  else if (before) {
    const own = behind(text, endOf(before)).comma;
    if (own !== undefined) edits.unshift({ offset: own - 1, length: 1, content: '' });
  }
  const cut = spliced(text, edits);
  if (siblings.length > 1) return cut;
  // Blanks alone between the brackets.
  const inner = cut.slice(parent.offset + 1);
  const blanks = /^\s*/.exec(inner)?.[0].length ?? 0;
  return /^[}\]]/.test(inner.slice(blanks)) ? cut.slice(0, parent.offset + 1) + inner.slice(blanks) : cut;
}

/** Another value instead of one. */
export function withValue(text: string, node: Node, sketch: Sketch): string {
  const isLong = text.slice(node.offset, endOf(node)).includes('\n');
  const content = sketch(isLong ? lineIndent(text, node.offset) : undefined);
  return spliced(text, [{ offset: node.offset, length: node.length, content }]);
}

/** A value as JSON: in one line without an indent, else in lines behind it. */
export function jsonLines(text: string, value: unknown, indent: string | undefined): string {
  if (indent === undefined) return JSON.stringify(value);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${eol}${indent}`);
}

function isInOneLine(text: string, parent: Node): boolean {
  const inside = text.slice(parent.offset, endOf(parent));
  if (inside.includes('\n')) return false;
  return (parent.children?.length ?? 0) > 0 || (!text.trim().includes('\n') && parent.parent !== undefined);
}

/** What comes behind a member: where its comma ends, and where the line ends that it, its comma and their comments are in. */
function behind(text: string, offset: number): { comma: number | undefined; lineEnd: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let comma: number | undefined;
  let lineEnd = offset;
  let isSameLine = true;
  for (let token = scanner.scan(); token !== KINDS.end; token = scanner.scan()) {
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    if (token === KINDS.lineBreak) {
      if (comma !== undefined) break;
      isSameLine = false;
    } else if (token === KINDS.comma && comma === undefined) {
      comma = end;
      lineEnd = end;
      isSameLine = true;
    } else if (token === KINDS.lineComment || token === KINDS.blockComment) {
      if (isSameLine) lineEnd = end;
    } else if (token !== KINDS.blanks) break;
  }
  return { comma, lineEnd };
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function isFirstInLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset));
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** One step of indentation as the document has it. */
function unitOf(text: string): string {
  const [, indent = '  '] = /\n([ \t]+)["/]/.exec(text) ?? [];
  return indent.startsWith('\t') ? '\t' : indent;
}

/** Edits in the order of their places. */
function spliced(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (out, { offset, length, content }) => out.slice(0, offset) + content + out.slice(offset + length),
    text,
  );
}
