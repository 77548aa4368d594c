import type { Unit } from './unit.ts';

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
/** A blank line, or one that is not indented, is no longer of the item. */
const LEAVES = /\n(?:\s*\n|\S|$)/;

/**
 * The chosen pieces of a message, in order. Where something between them is left out there is a `…`; `terse`: nothing, and
 * sentences follow each other in one paragraph.
 */
export function joinUnits(text: string, units: Unit[], chosen: number[], terse = false): string {
  const parts: string[] = [];
  let before = -1;
  let inItem = false;
  for (const unit of chosen) {
    const next = units[unit]!;
    if (before !== -1) {
      const previous = units[before]!;
      const between = text.slice(previous.end, next.start);
      const leavesItem: boolean = inItem && LEAVES.test(between);
      parts.push(
        unit === before + 1
          ? space(between, previous, next)
          : terse
            ? terseGap(previous, next, leavesItem)
            : gap(previous, next),
      );
      inItem &&= !leavesItem;
    }
    inItem ||= ITEM.test(next.text);
    parts.push(next.text);
    before = unit;
  }
  return parts.join('');
}

function space(between: string, previous: Unit, next: Unit): string {
  const newlines = between.split('\n').length - 1;
  // A marker or a rule was removed between them.
  const plain = between.trim() === '';
  if (plain && newlines <= 2 && between !== '') return between;
  if (newlines >= 2 || needsRoom(previous) || needsRoom(next)) return '\n\n';
  if (newlines === 1) return '\n';
  // Chinese and Japanese sentences follow each other without a space.
  return between === '' ? '' : ' ';
}

function terseGap(previous: Unit, next: Unit, leavesItem: boolean): string {
  if (needsRoom(previous) || needsRoom(next)) return '\n\n';
  return ITEM.test(next.text) ? '\n' : leavesItem ? '\n\n' : ' ';
}

function gap(previous: Unit, next: Unit): string {
  if (previous.block) return next.block ? '\n\n…\n\n' : '\n\n… ';
  const mark = previous.text.endsWith('…') ? '' : ' …';
  if (needsRoom(previous) || needsRoom(next)) return `${mark}\n\n`;
  return next.opensLine ? `${mark}\n` : `${mark} `;
}

function needsRoom(unit: Unit): boolean {
  return unit.block || unit.text.startsWith('#');
}
