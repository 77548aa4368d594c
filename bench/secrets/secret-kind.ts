/** `token`: the value itself shows what it is. `named`: the name next to it does. `password`: a person chose it. `place`: its place shows it. */
export type SecretKind = {
  name: string;
  /** Text with `{letter:count}` for random characters. */
  form: string;
  /** Where the format is publicly documented. */
  source: string;
  sort: 'token' | 'named' | 'password' | 'place';
  /** For a place: the text around the value, which is `¤`. */
  frame?: string;
};

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Record<string, string> = {
  a: LOWER + UPPER + DIGITS,
  A: LOWER + UPPER,
  l: LOWER + DIGITS,
  c: LOWER,
  U: UPPER + DIGITS,
  T: `${UPPER}234567`,
  B: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  h: `${DIGITS}abcdef`,
  d: DIGITS,
  b: `${LOWER}${UPPER}${DIGITS}+/`,
};

/** Makes a value of this form from a seeded random source. */
export function makeSecret(form: string, random: () => number): string {
  return form.replace(/\{(\w)(?::(\d+))?\}/g, (_, letter: string, count = '0') => {
    if (letter === 'x') return [8, 4, 4, 4, 12].map((length) => letters('h', length, random)).join('-');
    // Begins and ends with a letter or digit: values with `-` at an end are rare, and comparisons use what is between.
    if (letter === 'w') return letters('a', Number(count), random, '_-');
    return letters(letter, Number(count), random);
  });
}

function letters(alphabet: string, count: number, random: () => number, rare = ''): string {
  const all = ALPHABETS[alphabet]!;
  let out = '';
  for (let i = 0; i < count; i++) {
    const isRare = rare !== '' && i % 16 === 8 && random() < 0.5;
    out += isRare ? rare[Math.floor(random() * rare.length)]! : all[Math.floor(random() * all.length)]!;
  }
  return out;
}
