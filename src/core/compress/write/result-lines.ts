import type { Turn } from '../turn.ts';
import type { Unit } from '../units/unit.ts';
import { COMMITTED } from './paragraphs.ts';
import type { VersionLine } from './version-line.ts';

/** Labels for the results of calls. */
const LABELS = { commit: COMMITTED, todo: 'Steps', report: 'Subagent' } as const;

/** What was committed, planned as steps, or reported by a subagent, a paragraph each. */
export function resultLines({ line, at, exchange }: Turn, chosen: Unit[], lines: VersionLine[]): void {
  for (const kind of ['commit', 'todo', 'report'] as const) {
    const own = chosen.filter((unit) => unit.kind === kind);
    if (own.length === 0) continue;
    const text = joined(own.map((unit) => unit.text));
    const source = { ts: line.ts, l1: [at], src: [line.src], exchange };
    lines.push({ form: 'said', role: 'assistant', text, name: LABELS[kind], ...source });
  }
}

/** Sentences and items in a row. */
function joined(texts: string[]): string {
  return texts.reduce(
    (all, text) => (all === '' ? text : `${all}${/[.!?:;…]$/.test(all) ? ' ' : '; '}${text}`),
    '',
  );
}
