import { parseOutside } from '../model/parse-stored.ts';
import { decodeJsonString, jsonStrings } from '../text/json-strings.ts';
import type { SecretSpan } from '../text/redact/secret-span.ts';
import { redact, secretSpans } from '../text/redact.ts';

/** No vowels and no 0: no word, no number with a leading zero, nothing that means "no secret here". */
const LOWER = 'kqzvwxjbtrmpfdgh';
const UPPER = 'QZKVXWJTBRMPFDGH';
const DIGITS = '739182465';
const PAST_F = 'kqzvwxjtrmpgh';
/** What begins a token of a known maker says whose it is, and nothing more. */
const MAKER = /^(?:[A-Za-z]{2,8}[-_](?:[a-z]{1,6}\d*[-_])*|[A-Z]{4}|\d{8,10}:AA|AIza|eyJ)/;

/**
 * A text with each secret replaced by letters and digits of the same kind and number: it has the same length in bytes,
 * every place in it stays, and whatever is derived from it says the same. Masked twice is the same as once.
 */
export function maskSecrets(text: string): string {
  const spans = secretSpans(text);
  if (spans.length === 0) return text;
  return spans.reduce((masked, span) => maskSpan(masked, span), text);
}

/** The same for a line of JSON: secrets that only show once a string is read are found, too. */
export function maskJsonLine(line: string): string {
  const plain = maskSecrets(line);
  // One check of all strings together decides whether each is checked.
  if (!plain.includes('\\') || secretSpans(unescaped(plain)).length === 0) return plain;
  if (parseOutside(plain) === undefined) return plain;
  let masked = plain;
  for (const { start, end } of jsonStrings(plain)) {
    const raw = plain.slice(start, end);
    if (!raw.includes('\\')) continue;
    const { value, places } = decodeJsonString(raw);
    for (const span of secretSpans(value)) {
      const inLine = { ...span, start: start + places[span.start]!, end: start + places[span.end]! };
      masked = put(
        masked,
        inLine,
        scramble(masked.slice(inLine.start, inLine.end), visiblePartOf(value, span)),
      );
    }
  }
  return masked;
}

/** Only to decide whether a closer check is needed: all strings of a line, each on its own lines. */
function unescaped(line: string): string {
  const apart = line.replaceAll('\\"', '\u0001').replaceAll('"', '\n').replaceAll('\u0001', '"');
  return apart.replaceAll('\\n', '\n').replaceAll('\\r', '\r').replaceAll('\\t', '\t').replaceAll('\\/', '/');
}

function maskSpan(text: string, span: SecretSpan): string {
  return put(text, span, scramble(text.slice(span.start, span.end), visiblePartOf(text, span)));
}

function put(text: string, { start, end }: SecretSpan, value: string): string {
  return text.slice(0, start) + value + text.slice(end);
}

/** Prefixes of other lengths, where the usual ones do not do. */
const HEADS = [3, 5, 6, 7, 8, 10, 12];

/** How much of a secret must stay for it to be known as one: nothing, or what shows who issued it, or its frame. */
function visiblePartOf(text: string, span: SecretSpan): VisiblePart {
  const value = text.slice(span.start, span.end);
  const wanted = redact(text).text;
  const maker = MAKER.exec(value)?.[0].length ?? 4;
  const ways: VisiblePart[] = [{ head: 0 }, { head: maker }, { head: 0, long: true }];
  for (const head of [0, 2, maker]) ways.push({ head, hex: true });
  for (const head of HEADS) ways.push({ head }, { head, hex: true });
  const isKnown = (way: VisiblePart) => redact(put(text, span, scramble(value, way))).text === wanted;
  // Where nothing is long enough, that way would leave all as it is.
  return ways.find((way) => (!way.long || HAS_LONG_RUN.test(value)) && isKnown(way)) ?? { head: 0 };
}

type VisiblePart = {
  /** The number of characters at its start that stay. */
  head: number;
  /** Only what is long is masked: a frame such as BEGIN and END stays. */
  long?: true;
  /** Letters from a to f only. */
  hex?: true;
};

/** An escaped arrow after a line number is no part of the line. */
const LONG_RUN = /\\+u[0-9a-fA-F]{4}|(?:[A-Za-z0-9+/=]|\\[nr]|[\r\n]){24,}/g;

const HAS_LONG_RUN = /[A-Za-z0-9+/=]{24}/;

/** By position alone, never by the value: nothing can be recovered from it. */
function scramble(value: string, { head, long, hex }: VisiblePart): string {
  const body = value.slice(head);
  const mix = (text: string, from: number) => {
    let out = '';
    for (let i = 0; i < text.length; i++) {
      // The letters of an escape represent one sign, which must stay one.
      if (text[i] === '\\') {
        const length = text[i + 1] === 'u' ? 6 : 2;
        out += text.slice(i, i + length);
        i += length - 1;
      } else out += other(text[i]!, from + i, hex);
    }
    return out;
  };
  if (!long) return value.slice(0, head) + mix(body, head);
  return value.replace(LONG_RUN, (run, at: number) => (/^\\+u/.test(run) ? run : mix(run, at)));
}

function other(sign: string, place: number, hex = false): string {
  const at = (place * 7 + (place >> 3)) >>> 0;
  // Other characters must not become hex digits, or a second pass would read them as such.
  if (hex && /[a-f]/i.test(sign)) return sign < 'a' ? 'BCDF'[at % 4]! : 'bcdf'[at % 4]!;
  if (hex && sign >= 'a' && sign <= 'z') return PAST_F[at % PAST_F.length]!;
  if (hex && sign >= 'A' && sign <= 'Z') return PAST_F[at % PAST_F.length]!.toUpperCase();
  if (sign >= 'a' && sign <= 'z') return LOWER[at % LOWER.length]!;
  if (sign >= 'A' && sign <= 'Z') return UPPER[at % UPPER.length]!;
  return sign >= '0' && sign <= '9' ? DIGITS[at % DIGITS.length]! : sign;
}
