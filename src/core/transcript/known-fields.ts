import type { ReadObject } from '../model/read-object.ts';
import { holdsWords } from './lost-words.ts';
import { isObject, type JsonObject } from './parse-line.ts';

/** What a reader knows of one object of a format: all of its fields, if it knows them, and which it can't do without. */
export type KnownFields = {
  what: string;
  fields?: ReadonlySet<string>;
  /** Of each list one must be there. */
  needs: readonly (readonly string[])[];
  /** What a field can be read from, by its name. */
  forms: ReadonlyMap<string, string>;
  marks?: readonly KnownMark[];
};
/** A value that may be missing, the fields that have it, and all fields that have something else. */
type KnownMark = {
  looksLike: (value: unknown, name: string) => boolean;
  names: readonly string[];
  others: ReadonlySet<string>;
};

const PATH = /^"?(?:file:\/\/)?(?:~?\/|[A-Za-z]:[\\/]|\\\\)(?:[^\s/][^\n]*)?$/;
const FAILED =
  /^(?:error(?:ed)?|err|fail|failed|failure|cancell?ed|rejected|denied|aborted|timed[ _-]?out|true|false)$/i;
/** Names of fields that say how something ended. */
const ENDS = /exit|status|outcome|success|succeed|(?<!std)err(?:or|$)|fail|^ok$/i;
const NAMED = /(?:^|[._])name|title|summary|subject|headline|topic/i;
const DEEPEST = 8;

/** How values look that are no words of a conversation, and what readers can read them from. */
const LOOKS = {
  words: { looksLike: holdsSomething, form: '' },
  folder: { looksLike: (value: unknown) => holdsPath(value), form: 's' },
  title: { looksLike: holdsTitle, form: 's' },
  outcome: { looksLike: (value: unknown, name: string) => holdsOutcome(value, name), form: 'b' },
  /** An object that says it. */
  outcomes: {
    looksLike: (value: unknown) =>
      isObject(value) &&
      Object.entries(value).some(([name, it]) => saysOutcome(it) || holdsOutcome(it, name, 1)),
    form: 'o',
  },
  exit: {
    looksLike: (value: unknown, name: string) => Number.isInteger(value) || holdsOutcome(value, name, 1),
    form: 'n',
  },
  /** A value that is never missed, and read in its known form only. */
  rest: { looksLike: () => false, form: '' },
};

/**
 * `knownFields('call', 'name:s args:os|arguments:os', 'id name args')`: what it needs, then all that it may have. The letters are
 * the forms that it can be read in: string, number, boolean, list, object.
 */
export function knownFields(what: string, needs: string, fields?: string): KnownFields {
  const all = [needs, fields ?? ''].flatMap((text) => text.split(/[ |]/));
  const found = needs.split(' ').filter(Boolean);
  return {
    what,
    needs: found.map((one) => one.split('|').map(nameIn)),
    forms: formsIn(all, ''),
    ...(fields === undefined ? {} : { fields: new Set(all.map(nameIn).filter(Boolean)) }),
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
  const all = new Set([fields, ...Object.values(marks)].flatMap((names) => names.split(' ').map(nameIn)));
  const found = Object.entries(marks).map(([mark, names]) => ({
    ...LOOKS[mark as keyof typeof LOOKS],
    names: names.split(' '),
  }));
  return {
    what,
    needs: [],
    forms: new Map(found.flatMap(({ names, form }) => [...formsIn(names, form)])),
    marks: found.map(({ looksLike, names }) => ({ looksLike, names: names.map(nameIn), others: all })),
  };
}

function nameIn(word: string): string {
  return word.split(':', 1)[0]!;
}

function formsIn(words: string[], usual: string): Map<string, string> {
  const pairs = words.map((word): [string, string] => [nameIn(word), word.split(':')[1] ?? usual]);
  return new Map(pairs.filter(([, form]) => form !== ''));
}

/** Counts a word that says how something ended, if a newer version may have made it up. */
export function withOddWord(
  read: ReadObject,
  what: string,
  word: unknown,
  known: ReadonlySet<string>,
): ReadObject {
  const isOdd = word !== undefined && word !== null && word !== '' && !known.has(word as string);
  const shown = typeof word === 'string' && /^[\w-]{1,40}$/.test(word) ? word : 'of an unknown kind';
  return isOdd && read.unknown === undefined ? { ...read, unknown: `${what} ${shown}` } : read;
}

/**
 * Counts what a newer version may have renamed: a field that is not there, or one that its reader does not know and that
 * holds something.
 */
export function withGaps(read: ReadObject, known: KnownFields, objects: unknown): ReadObject {
  if (read.unknown !== undefined) return read;
  for (const object of Array.isArray(objects) ? objects : [objects]) {
    const gap = isObject(object)
      ? gapIn(object, known)
      : isList(object)
        ? `list in ${known.what}`
        : undefined;
    if (gap !== undefined) return { ...read, unknown: gap };
  }
  return read;
}

export function gapIn(
  object: JsonObject,
  { what, fields, needs, forms, marks }: KnownFields,
): string | undefined {
  const missing = needs.find((names) => !names.some((name) => object[name] !== undefined));
  if (missing) return `${what} without ${missing[0]}`;
  for (const [name, form] of forms) if (!isOfForm(object[name], form)) return `form of ${name} in ${what}`;
  const isOdd = (name: string) => fields?.has(name) === false && holdsSomething(object[name]);
  const odd = fields && Object.keys(object).find(isOdd);
  const found = odd ?? marks?.map((mark) => lostMark(object, mark)).find((name) => name !== undefined);
  return found === undefined ? undefined : `field ${found} in ${what}`;
}

/** A field that nobody knows and that may have what no known field has. */
function lostMark(object: JsonObject, { looksLike, names, others }: KnownMark): string | undefined {
  if (names.some((name) => object[name] !== undefined && object[name] !== null && object[name] !== ''))
    return undefined;
  return Object.keys(object).find((name) => !others.has(name) && looksLike(object[name], name));
}

function isOfForm(value: unknown, form: string): boolean {
  if (value === undefined || value === null) return true;
  const letter = Array.isArray(value) ? 'l' : typeof value;
  return form.includes(letter.charAt(0));
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function saysOutcome(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && FAILED.test(value));
}

/** By its value, or by its name and any value; the same inside of it. */
function holdsOutcome(value: unknown, name: string, depth = 0): boolean {
  if ((depth === 0 && saysOutcome(value)) || endsBy(value, name)) return true;
  if (typeof value !== 'object' || value === null || depth > 2) return false;
  return Object.entries(value).some(([inner, it]) => holdsOutcome(it, inner, depth + 1));
}

function endsBy(value: unknown, name: string): boolean {
  if (name === 'code') return Number.isInteger(value);
  return ENDS.test(name) && value !== undefined && value !== null && value !== '';
}

function holdsPath(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return PATH.test(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((it) => holdsPath(it, depth + 1));
}

const ONE_WORD =
  /^\p{Lu}[\p{L}-]{3,}$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** A sentence, a name, or a text of a language without spaces; inside of an object only by its name. */
function holdsTitle(value: unknown, name: string, depth = 0): boolean {
  if (isObject(value))
    return (
      depth < 3 && Object.entries(value).some(([inner, it]) => holdsTitle(it, `${name}.${inner}`, depth + 1))
    );
  if (typeof value !== 'string' || PATH.test(value) || (depth > 0 && !NAMED.test(name))) return false;
  return holdsWords(value) || ONE_WORD.test(value);
}

function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : holdsWords(value);
}
