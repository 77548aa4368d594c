import type { Turn } from '../turn.ts';

/** Whether a later edit removed a line that a turn added to a file. */
export type LaterRemoved = (target: string, line: string, turn: number) => boolean;

/** Lines of edits that later edits of the same file remove. */
export function laterRemoved(turns: Turn[]): LaterRemoved {
  const last = new Map<string, Map<string, number>>();
  turns.forEach(({ line, detail }, index) => {
    if (line.role !== 'tool' || !detail?.input) return;
    for (const { before, after } of replacementsOf(detail.input)) {
      if (before === '') continue;
      const kept = new Set(after.split('\n').map((text) => text.trim()));
      const target = line.target ?? '';
      const gone = last.get(target) ?? new Map<string, number>();
      last.set(target, gone);
      for (const text of before.split('\n').map((one) => one.trim()))
        if (text !== '' && !kept.has(text)) gone.set(text, index);
    }
  });
  return (target, line, turn) => (last.get(target)?.get(line.trim()) ?? -1) > turn;
}

/** What an edit's input replaces. */
export function replacementsOf(input: Record<string, unknown>): { before: string; after: string }[] {
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  return edits.map((edit) => {
    const { old_string, new_string, new_source } = (edit ?? {}) as Record<string, unknown>;
    return { before: textOf(old_string), after: textOf(new_string) || textOf(new_source) };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
