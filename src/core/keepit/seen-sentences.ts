/** A set of sentences as bits, in plain numbers: small, of fixed size, may say yes by mistake but never no. */
export type SeenSentences = number[];

const WORDS = 4_096;
const MASK = WORDS * 32 - 1;
/** Letters and digits of a sentence that is too short to be told from any other. */
const SHORTEST = 12;

/** What a byte means: 0 nothing, 1 the end of a sentence, otherwise the letter or digit it counts as. */
const MEANING = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ('\n.!?;'.includes(String.fromCharCode(byte))) return 1;
  return byte >= 0xc0 || /[a-z0-9]/i.test(String.fromCharCode(byte))
    ? String.fromCharCode(byte).toLowerCase().charCodeAt(0)
    : 0;
});

/** Adds every sentence of a text. Sentences end at a line break and at . ! ? ; and are compared by letters and digits. */
export function addSentences(seen: SeenSentences, text: string): void {
  if (seen.length === 0) for (let i = 0; i < WORDS; i++) seen.push(0);
  eachSentence(text, (a, b) => {
    const c = third(a, b);
    seen[(a & MASK) >>> 5]! |= 1 << (a & 31);
    seen[(b & MASK) >>> 5]! |= 1 << (b & 31);
    seen[(c & MASK) >>> 5]! |= 1 << (c & 31);
    return false;
  });
}

/** Whether any sentence of a text was added before. */
export function hasSentence(seen: SeenSentences, text: string): boolean {
  const has = (bit: number) => (seen[(bit & MASK) >>> 5]! & (1 << (bit & 31))) !== 0;
  return seen.length > 0 && eachSentence(text, (a, b) => has(a) && has(b) && has(third(a, b)));
}

function third(a: number, b: number): number {
  return (a >>> 15) ^ (b >>> 13);
}

/** Two running hashes over the letters and digits of each sentence; true as soon as `visit` says so. */
function eachSentence(text: string, visit: (a: number, b: number) => boolean): boolean {
  // Bytes are read twice as fast; a character beyond Latin-1 becomes its lower byte, here and there alike.
  const bytes = Buffer.from(`${text}\n`, 'latin1');
  let a = 0x811c9dc5;
  let b = 0x2545f491;
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const meaning = MEANING[bytes[i]!]!;
    if (meaning > 1) {
      a = Math.imul(a ^ meaning, 0x01000193);
      b = Math.imul(b + meaning, 0x5bd1e995) ^ (b >>> 15);
      length++;
    } else if (meaning === 1 && length > 0) {
      if (length >= SHORTEST && visit(a, b)) return true;
      a = 0x811c9dc5;
      b = 0x2545f491;
      length = 0;
    }
  }
  return false;
}
