import type { Entry } from '../model/entry.ts';
import type { ReadObject } from '../model/read-object.ts';
import { mayHoldMarks, withoutComposed } from '../text/composed-marks.ts';

/** Compositions that a session began from or included, and how many of its lines are still composed. Plain JSON. */
export type ComposedState = {
  /** Each composition once, with the time of the first message that held it. */
  uses: [id: string, ts: string][];
  /** `prefix`: how the ids of the composed lines begin; empty if they were given new ones. */
  skip?: { prefix: string; left: number };
  /** How many of `uses` are on record. */
  noted?: number;
};

/** The ids of composed lines differ in their last group only, which counts from 0. */
const COUNTED = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)0{12}$/;

/** A user's words without what was composed for them; a message that contains nothing else is nobody's. */
export function stripComposed(entry: Entry): Entry {
  if (entry.kind !== 'user' || entry.origin !== 'user' || !mayHoldMarks(entry.text)) return entry;
  const { text, marks } = withoutComposed(entry.text);
  if (marks.length === 0) return entry;
  if (text !== '' || entry.images) return { ...entry, text, composed: marks };
  return { ...entry, kind: 'notice', origin: 'machine', text, composed: marks };
}

/**
 * Notes the compositions that a line contains and returns whether the line itself is composed. Lines whose ids count on from
 * the first one's are skipped, as many as it says; without such ids only the very first message of a session can
 * declare that lines follow. Nothing else is skipped.
 */
export function isComposed(
  state: { composed?: ComposedState },
  { entries }: ReadObject,
  isFirst: boolean,
): boolean {
  const skip = state.composed?.skip;
  const message = entries.find((entry) => entry.agentId === undefined && isMessage(entry));
  // Calls and outputs of a copied session are between its messages.
  if (!message) return skip !== undefined && entries.length > 0 && isBetween(skip, entries);
  const { composed: marks = [], ts, id } = message as { composed?: { id: string; lines?: number }[] } & Entry;
  if (skip && skip.left > 0 && id.startsWith(skip.prefix)) {
    skip.left--;
    return true;
  }
  for (const mark of marks) {
    state.composed ??= { uses: [] };
    if (!state.composed.uses.some(([known]) => known === mark.id)) state.composed.uses.push([mark.id, ts]);
    if (mark.lines === undefined || state.composed.skip !== undefined) continue;
    // A fork puts lines of its own before it: ids that count show the composed ones wherever they are.
    const prefix = COUNTED.exec(id)?.[1] ?? '';
    if (isFirst || prefix !== '') state.composed.skip = { prefix, left: Math.max(0, mark.lines - 1) };
  }
  return false;
}

function isBetween({ prefix, left }: NonNullable<ComposedState['skip']>, entries: readonly Entry[]): boolean {
  return prefix === '' ? left > 0 : entries.every(({ id }) => id.startsWith(prefix));
}

function isMessage({ kind }: Entry): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'notice';
}
