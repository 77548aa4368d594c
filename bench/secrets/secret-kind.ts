/** `token`: its value alone shows what it is. `named`: the name beside it does. `password`: a person chose it. `place`: where it is. */
export type SecretKind = {
  name: string;
  /** Text with `{letter:count}` for random characters. */
  form: string;
  /** Where the format is documented in public. */
  source: string;
  sort: 'token' | 'named' | 'password' | 'place';
  /** Of a place: the text around the value, which is `¤`. */
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

/** A value of a form, from a seeded source of chance. */
export function makeSecret(form: string, random: () => number): string {
  return form.replace(/\{(\w)(?::(\d+))?\}/g, (_, letter: string, count = '0') => {
    if (letter === 'x') return [8, 4, 4, 4, 12].map((length) => letters('h', length, random)).join('-');
    // The ends are letters or digits: `-` there is rare, and a comparison is by what is between.
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
