import type { ByteRange, Entry } from '../model/entry.ts';
import { shortHash } from '../model/ids.ts';
import { knownCalls } from './known-tools.ts';
import type { JsonObject } from './parse-line.ts';

/** Where an entry of another agent is. */
export type AgentPlace = { id: string; ts: string; src: ByteRange; agentId?: string };

type Call = { toolUseId: string; name: string; input: JsonObject; model?: string };

/** By the common names. A patch is a call for each file, and all of them have its one result. */
export function callEntries(place: AgentPlace, { toolUseId, name, input, model }: Call): Entry[] {
  const of = { ...place, kind: 'tool-call', origin: 'assistant', ...(model ? { model } : {}) } as const;
  return knownCalls(name, input).map((call) => ({ ...of, toolUseId, ...call }));
}

/** The user stopped the agent, in the words that Claude Code has for it. */
export function interruption(place: AgentPlace): Entry {
  const text = '[Request interrupted by user]';
  return { ...place, kind: 'notice', origin: 'machine', text, interrupts: true };
}

/** An id for a line that has none: its place and its words. */
export function madeId(src: ByteRange, words: string): string {
  return `a_${shortHash(`${src[0]}\n${words}`, 16)}`;
}

/** Smaller numbers are seconds: as milliseconds they would lie before any agent. */
const FIRST_MILLIS = 1e11;

/** Milliseconds, seconds, or a text, as a time. */
export function timeOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 8.64e15) return '';
  return new Date(Math.abs(value) < FIRST_MILLIS ? value * 1000 : value).toISOString();
}
