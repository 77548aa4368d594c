import { createHash } from 'node:crypto';
import type { IndexLine } from '../../model/search.ts';
import { termsOf } from '../../text/terms.ts';

/** A document of memory besides the sessions that can be found separately. */
export type Document = {
  /** What it is called: a name, a heading, an id. */
  title: string;
  text: string;
  /** UTC; empty if it has none. */
  ts: string;
  /** Its own id, where it has one. */
  id?: string;
  /** From where on in its file, in characters. */
  at?: number;
  /** Whose words they are: the user's or the agent's. */
  by?: string;
  /** Who that is, where it is someone else than this user. */
  author?: string;
  /** Where it came from. */
  sessionId?: string;
  exchange?: string;
  /** Lines of L1, counted from 1. */
  range?: [number, number];
};

/** The documents of a file as lines of the index, each identified by its number among them. */
export function documentLines(documents: Document[]): IndexLine[] {
  return documents.map((document, number) => ({
    role: 'document',
    flags: 0,
    ts: document.ts,
    at: number,
    bytes: 0,
    src: documentHash(document),
    startsExchange: true,
    terms: termsIn(document),
  }));
}

/** An id is found whole; pieces of one would be found by chance. */
function termsIn({ id, title, text }: Document): string[] {
  const name = id === undefined ? title : title.replace(id, '');
  const terms = termsOf(`${name}\n${text}`);
  if (id !== undefined) terms.push(id.toLowerCase());
  return terms;
}

/** Lets the index check whether a document is still the one that it knows. */
export function documentHash({ title, text }: Document): number {
  return numberOf(`${title}\n${text}`);
}

/** 48 bits: safe as a number, and large enough that two texts never share one. */
export function numberOf(content: string | Uint8Array): number {
  return createHash('sha256').update(content).digest().readUIntBE(0, 6);
}
