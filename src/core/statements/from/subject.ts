import { type Piece, quoteOf } from '../candidate.ts';
import { type CallLine, isEdit, type Segment } from '../read/segments.ts';

const MOST_NAMED = 2;
/** Where more files were changed, none of them says what the words are about. */
const MOST_FILES = 6;
/** The last two parts of a path: many files have the same name. */
const END_OF_PATH = /(?:[^/\\]+[/\\])?[^/\\]+\.\w{1,5}$/;
const PAPERS = /\.(?:md|mdc|txt|lock)$|(?:^|[/\\])(?:package|go)\.(?:json|sum|mod)$/i;
const TESTS = /(?:[._-]|\b)(?:test|spec)s?\b/i;

/**
 * The subject of a user's words that do not name it: the files that were changed for them. A reader of "let's only add replace"
 * needs it weeks later.
 */
export function namedSubject({ calls }: Segment, text: string): Piece | undefined {
  const counts = new Map<string, { count: number; call: CallLine; from: number }>();
  for (const call of calls) {
    if (!isEdit(call)) continue;
    const target = call.line.target ?? '';
    const [end = ''] = END_OF_PATH.exec(target) ?? [];
    if (end === '' || PAPERS.test(end)) continue;
    const known = counts.get(end);
    if (known) known.count++;
    else counts.set(end, { count: 1, call, from: target.length - end.length });
  }
  if (counts.size === 0 || counts.size > MOST_FILES) return undefined;
  const plain = text.toLowerCase();
  if ([...counts.keys()].some((path) => plain.includes(nameOfFile(path)))) return undefined;
  const files = [...counts]
    .sort(([a, one], [b, other]) => Number(TESTS.test(a)) - Number(TESTS.test(b)) || other.count - one.count)
    .slice(0, MOST_NAMED);
  return {
    text: `in ${files.map(([path]) => path).join(', ')}`,
    quotes: files.map(([path, { call, from }]) => quoteOf(call, 'target', { from, to: from + path.length })),
  };
}

function nameOfFile(path: string): string {
  return path.split(/[/\\]/).at(-1)!.toLowerCase();
}
