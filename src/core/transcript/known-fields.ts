import type { ReadObject } from '../model/read-object.ts';
import { holdsWords } from './lost-words.ts';
import { isObject, type JsonObject } from './parse-line.ts';

/** What a reader knows of one object of a format: all of its fields, if it knows them, and which it can't do without. */
export type KnownFields = {
  what: string;
  fields?: ReadonlySet<string>;
  /** Of each list one must be there. */
  needs: readonly (readonly string[])[];
  marks?: readonly KnownMark[];
};
/** A value that may be missing, the fields that have it, and all fields that have something else. */
type KnownMark = {
  looksLike: (value: unknown) => boolean;
  names: readonly string[];
  others: ReadonlySet<string>;
};

const PATH = /^(?:file:\/\/)?(?:~?\/|[A-Za-z]:[\\/]|\\\\)(?:[^\s/][^\n]*)?$/;
const FAILED = /^(?:error|err|fail|failed|failure|cancell?ed|rejected|denied|aborted)$/i;
const ENDS = /^(?:exit|status$|success|is_?error)/i;
const DEEPEST = 4;

/** How values look that are no words of a conversation. */
const LOOKS = {
  words: holdsSomething,
  folder: holdsPath,
  title: holdsTitle,
  outcome: saysOutcome,
  /** An object that says it. */
  outcomes: (value: unknown) =>
    isObject(value) && Object.entries(value).some(([name, it]) => ENDS.test(name) || saysOutcome(it)),
  exit: Number.isInteger,
};

/** `knownFields('call', 'name args|arguments', 'id name args')`: what it needs, then all that it may have. */
export function knownFields(what: string, needs: string, fields?: string): KnownFields {
  const words = (text: string) => text.split(' ').filter(Boolean);
  return {
    what,
    needs: words(needs).map((one) => one.split('|')),
    ...(fields === undefined ? {} : { fields: new Set([...words(fields), ...needs.split(/[ |]/)]) }),
  };
}

/**
 * `knownMarks('session', { folder: 'cwd', title: 'title' }, 'id version')`: what it may have besides words and by which names,
 * then all its other fields. Many have no title: only a field that nobody knows and that may be the title is counted.
 */
export function knownMarks(
  what: string,
  marks: { readonly [mark in keyof typeof LOOKS]?: string },
  fields = '',
): KnownFields {
  const all = new Set([fields, ...Object.values(marks)].flatMap((names) => names.split(' ')));
  const known = Object.entries(marks).map(([mark, names]) => ({
    looksLike: LOOKS[mark as keyof typeof LOOKS],
    names: names.split(' '),
    others: all,
  }));
  return { what, needs: [], marks: known };
}

/** Counts a word that says how something ended, if a newer version may have made it up. */
export function withOddWord(
  read: ReadObject,
  what: string,
  word: unknown,
  known: ReadonlySet<string>,
): ReadObject {
  const isOdd = typeof word === 'string' && /^[\w-]+$/.test(word) && !known.has(word);
  return isOdd && read.unknown === undefined ? { ...read, unknown: `${what} ${word}` } : read;
}

/**
 * Counts what a newer version may have renamed: a field that is not there, or one that its reader does not know and that
 * holds something.
 */
export function withGaps(read: ReadObject, known: KnownFields, objects: unknown): ReadObject {
  if (read.unknown !== undefined) return read;
  for (const object of Array.isArray(objects) ? objects : [objects]) {
    const gap = isObject(object) ? gapIn(object, known) : undefined;
    if (gap !== undefined) return { ...read, unknown: gap };
  }
  return read;
}

export function gapIn(object: JsonObject, { what, fields, needs, marks }: KnownFields): string | undefined {
  const missing = needs.find((names) => !names.some((name) => object[name] !== undefined));
  if (missing) return `${what} without ${missing[0]}`;
  const isOdd = (name: string) => fields?.has(name) === false && holdsSomething(object[name]);
  const odd = fields && Object.keys(object).find(isOdd);
  const found = odd ?? marks?.map((mark) => lostMark(object, mark)).find((name) => name !== undefined);
  return found === undefined ? undefined : `field ${found} in ${what}`;
}

/** A field that nobody knows and that may have what no known field has. */
function lostMark(object: JsonObject, { looksLike, names, others }: KnownMark): string | undefined {
  if (names.some((name) => object[name] !== undefined && object[name] !== null && object[name] !== ''))
    return undefined;
  return Object.keys(object).find((name) => !others.has(name) && looksLike(object[name]));
}

function saysOutcome(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && FAILED.test(value));
}

function holdsPath(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return PATH.test(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((it) => holdsPath(it, depth + 1));
}

const ONE_WORD =
  /^\p{Lu}[\p{L}-]{3,}$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** A sentence, a name, or a text of a language without spaces. */
function holdsTitle(value: unknown): boolean {
  return typeof value === 'string' && !PATH.test(value) && (holdsWords(value) || ONE_WORD.test(value));
}

function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : holdsWords(value);
}
