import type { Quote } from '../../model/statement.ts';
import { quoteOf, quotesOfDiff } from '../candidate.ts';
import { isEdit, type Segment } from '../read/segments.ts';

const RESTORES = /\bgit (?:checkout(?: \S+)? --|restore) (\S+)/g;
const LEAST = 30;
/** Of what undid it. */
const LONGEST = 300;
/** A file that git restored loses the changes of this many segments before. */
const RESTORED = 2;

/** The number of undone edits of one file that are remembered. */
const KEPT = 20;

type Undone = { from: number; to: number; by: Quote[] };

/** What undid an edit that a text of this segment names, if anything did later. */
export function undoneEdits(segments: Segment[]): (text: string, segment: number) => Quote[] | undefined {
  const undone = new Map<string, Undone[]>();
  const note = (path: string, one: Undone) => {
    const file = baseName(path);
    undone.set(file, [...(undone.get(file) ?? []).slice(-KEPT), one]);
  };
  /** By file and by what a later edit must have to undo it. */
  const edits = new Map<string, number>();
  for (const { index, calls } of segments) {
    for (const call of calls) {
      const { target = '', diff = '' } = call.line;
      if (isEdit(call) && diff !== '') {
        const from = diff.length > LEAST ? edits.get(`${target}\0${sidesOf(diff, '+-')}`) : undefined;
        if (from !== undefined)
          note(target, { from, to: index, by: quotesOfDiff(call, { from: 0, to: LONGEST }) });
        edits.set(`${target}\0${sidesOf(diff, '-+')}`, index);
      } else if (call.line.name === 'Bash') {
        for (const [, file = ''] of target.matchAll(RESTORES))
          note(file, {
            from: index - RESTORED,
            to: index,
            by: [quoteOf(call, 'target', { from: 0, to: Math.min(LONGEST, target.length) })],
          });
      }
    }
  }
  return (text, segment) => {
    if (undone.size === 0) return undefined;
    const named = new Set(text.toLowerCase().match(/[\w.-]+\.\w+/g) ?? []);
    const found = [...named]
      .flatMap((file) => undone.get(file) ?? [])
      .filter(({ from, to }) => from <= segment && segment < to);
    return found.length > 0 ? found.flatMap(({ by }) => by) : undefined;
  };
}

/** The lines of one side, then those of the other. */
function sidesOf(diff: string, order: string): string {
  const side = (sign: string) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1).trim())
      .join('\n');
  return `${side(order[0]!)}\0${side(order[1]!)}`;
}

function baseName(path: string): string {
  return (path.split('/').at(-1) ?? path).toLowerCase();
}
