import type { HistoryEvent } from './history.ts';
import { isFields } from './shape.ts';
import { VIAS, type Via } from './via.ts';

/** Whose doing an event was, and how it came in. */
export type EventAuthor = { by: string; via: Via };

/** Events in which a person or a program decided something; the others only say what was found. */
const EDITS = new Set<HistoryEvent['action']>([
  'rename',
  'join',
  'split',
  'import',
  'settings',
  'keepit',
  'link',
  'memory',
  'fact',
  'concept',
  'journal',
]);

/** Of an edit its author, `me` or a name; undefined where nobody decided anything. */
export function eventAuthor({ action, details = {} }: HistoryEvent): EventAuthor | undefined {
  // Nobody decided what Keepsake itself noticed.
  if (!EDITS.has(action) || details.found === true) return undefined;
  const edit = isFields(details.edit) ? details.edit : {};
  const by = textOf(edit.author) ?? textOf(details.by);
  const via = VIAS.find((it) => it === (edit.via ?? details.via));
  const usual = by !== undefined || action === 'import' ? 'import' : 'typed';
  return { by: by ?? 'me', via: via ?? (edit.by === 'assistant' ? 'agent' : usual) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
