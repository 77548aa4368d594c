import { type PurgeMark, plainWord, rollOf, saltedHash, unescapedMark } from '../model/purge-mask.ts';

/** Shorter ones would hit other words. */
export const SHORTEST = 6;
/** A line of a secret that is worth looking for on its own: a key has such lines. */
const LONG_LINE = 20;
/** Shorter ones are anyone's. */
const LONG_EXCERPT = 24;
/** Dots must follow it, so it may be shorter than an excerpt. */
const SHORTEST_CUT = 12;
const DEEPEST = 3;

/** A form of a text as bytes; `plain` where JSON would write it otherwise. */
type Form = { bytes: Buffer; plain: boolean };

/**
 * The ways a text is written in files: as it is, as JSON writes it, JSON inside JSON, with escapes for what is not ASCII,
 * with its white space as one line.
 */
function formsOf(text: string): Form[] {
  const forms = new Map<string, Form>();
  const add = (form: string, plain: boolean) => {
    if (Buffer.byteLength(form) < SHORTEST) return;
    const known = forms.get(form);
    if (!known || known.plain) forms.set(form, { bytes: Buffer.from(form), plain });
  };
  const line = text.replace(/\s+/g, ' ').trim();
  for (const variant of new Set([text, text.replace(/\r\n?/g, '\n'), text.trim(), line])) {
    add(variant, inJson(variant) !== variant);
    for (const start of [variant, asciiOf(variant)]) {
      let form = start;
      for (let depth = 0; depth < DEEPEST; depth++) {
        // Escapes for ASCII are JSON already.
        if (depth > 0 || start === variant) form = inJson(form);
        add(form, false);
      }
    }
  }
  return [...forms.values()];
}

/** Marks that find a text in whatever way it is written. */
export function purgeMarks(text: string, salt: string): PurgeMark[] {
  const mark = unescapedMark(text, salt, SHORTEST);
  // Behind a backslash these letters are read as an escape, which a path of Windows may have.
  const isLikeEscape = /^\s*[nrtu]/.test(text);
  return [...(mark ? [mark] : []), ...(isLikeEscape ? formsOf(text).map((form) => markOf(form, salt)) : [])];
}

/** A word of each text, for a quick search; undefined if one has none. */
export function purgedWords(texts: readonly string[]): string[] | undefined {
  const words = texts.map(plainWord);
  return words.every((word) => word !== undefined) ? words : undefined;
}

/** The mark of a text's beginning, for where only that is left of it. */
export function cutMarks(text: string, salt: string): PurgeMark[] {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length < 2 * SHORTEST_CUT) return [];
  const mark = unescapedMark(line.slice(0, Math.min(LONG_EXCERPT, line.length >> 1)), salt, SHORTEST);
  return mark ? [{ ...mark, cut: true }] : [];
}

/** A secret and its lines, where it has several: tools show files with a number before each line. */
export function textsOfSecret(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const long = lines.length > 1 ? lines.filter((line) => line.length >= LONG_LINE) : [];
  return [secret, ...long];
}

/** Excerpts of a longer text as memory quotes them: its sentences and lines. They are searched in what quotes it. */
export function excerptsOf(text: string): string[] {
  const pieces = text.split(/(?<=[.!?:])\s+|\r?\n/).map((piece) => piece.trim().replace(/^[-*>#\s]+/, ''));
  return [...new Set(pieces)].filter((piece) => piece.length >= LONG_EXCERPT && piece !== text.trim());
}

/** Shorter ones, where memory.md has them as a line of their own: only they are overwritten, not the line's beginning. */
export function bulletsOf(text: string, salt: string): PurgeMark[] {
  const pieces = text.split(/(?<=[.!?:])\s+|\r?\n/).map((piece) => piece.trim());
  const short = [...new Set(pieces)].filter(
    (piece) => piece.length < LONG_EXCERPT && Buffer.byteLength(piece) >= SHORTEST,
  );
  return short.flatMap((piece) =>
    ['user', 'assistant'].map((role) => {
      const before = `- ${role}: `;
      const bytes = Buffer.from(`${before}${piece}\n`);
      return {
        ...markOf({ bytes, plain: false }, salt),
        ranges: [[before.length, bytes.length - 1]] as [number, number][],
      };
    }),
  );
}

export function markOf({ bytes, plain }: Form, salt: string): PurgeMark {
  const mark: PurgeMark = { length: bytes.length, roll: rollOf(bytes), hash: saltedHash(salt, bytes) };
  return plain ? { ...mark, plain: true } : mark;
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiOf(text: string): string {
  const json = inJson(text);
  return json.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
