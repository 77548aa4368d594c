import { shortHash } from './ids.ts';

export const INJECTED_AT = ['start', 'prompt', 'action', 'compaction'] as const;

/** Where injected words are from: a session's exchange, or a fact or statement by its id. */
export type InjectionSource = { session: string; exchange?: string; id?: string };

/** What a hook added to a conversation, a line of `injections/<session>.jsonl`. */
export type Injection = {
  id: string;
  at: string;
  /** The session that got it. */
  session: string;
  on: (typeof INJECTED_AT)[number];
  /** A sentence. */
  why: string;
  tokens: number;
  sources: InjectionSource[];
  text: string;
};

/** Characters of a text that its id is made from: with the time and the session they are enough, and a long hash takes longer than all the rest of a hook. */
const KNOWN_BY = 500;

export function injectionId({ at, session, text }: Pick<Injection, 'at' | 'session' | 'text'>): string {
  return `in_${shortHash(`${at}\n${session}\n${text.slice(0, KNOWN_BY)}`, 10)}`;
}

/** Below the project's folder. */
export function injectionsFile(session: string): string {
  return `injections/${session}.jsonl`;
}
