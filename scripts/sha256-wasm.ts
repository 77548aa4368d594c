// Writes the WebAssembly of `src/sha256-code.ts`. Memory: at 0 the state of eight words, at 64 the 64 words of a block, at 320
// the constants, from 1024 on what is hashed.
const WORDS = 64;
const CONSTANTS = 320;
const I32 = 0x7f;
/** Of 65,536 bytes. */
const PAGES = 2;

type Code = number[];
const unsigned = (n: number): Code => (n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >>> 7)]);
function signed(n: number): Code {
  const low = n & 127;
  const rest = n >> 7;
  const isLast = (rest === 0 && !(low & 64)) || (rest === -1 && (low & 64) !== 0);
  return isLast ? [low] : [low | 128, ...signed(rest)];
}
const list = (items: Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, body: Code): Code => [id, ...unsigned(body.length), ...body];
const name = (text: string): Code => list([...Buffer.from(text)].map((byte) => [byte]));

const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];
const number = (n: number): Code => [0x41, ...signed(n | 0)];
const load = (at: Code, offset: number): Code => [...at, 0x28, 2, ...unsigned(offset)];
const store = (at: Code, offset: number, value: Code): Code => [
  ...at,
  ...value,
  0x36,
  2,
  ...unsigned(offset),
];
const operator =
  (code: number) =>
  (first: Code, second: Code): Code => [...first, ...second, code];
const [plus, and, or, xor] = [operator(0x6a), operator(0x71), operator(0x72), operator(0x73)];
const [isLess, shift, left, right] = [operator(0x49), operator(0x76), operator(0x77), operator(0x78)];
const sum = (...parts: Code[]): Code => parts.reduce(plus);
const turned = (value: Code, ...by: number[]): Code => by.map((n) => right(value, number(n))).reduce(xor);
/** `body`, again while `condition` holds after it. */
const loop = (body: Code, condition: Code): Code => [0x03, 0x40, ...body, ...condition, 0x0d, 0, 0x0b];

const [FROM, END, AT, X] = [0, 1, 2, 3];
const STATE = [4, 5, 6, 7, 8, 9, 10, 11];
const LOCALS = 10;
const next = (bytes: number): Code => set(AT, plus(get(AT), number(bytes)));

/** Four bytes, the first of them the highest. */
function readWord(): Code {
  const swapped = or(
    and(left(get(X), number(8)), number(0x00ff00ff)),
    and(right(get(X), number(8)), number(0xff00ff00)),
  );
  return [...set(X, load(plus(get(AT), get(FROM)), 0)), ...store(get(AT), WORDS, swapped), ...next(4)];
}

function addWord(): Code {
  const before = (words: number) => load(get(AT), WORDS - 4 * words);
  const low = xor(turned(before(15), 7, 18), shift(before(15), number(3)));
  const high = xor(turned(before(2), 17, 19), shift(before(2), number(10)));
  return [...store(get(AT), WORDS, sum(before(16), low, before(7), high)), ...next(4)];
}

/** Eight rounds; in each the words of the state have other names, so that none is moved. */
function rounds(): Code {
  const code: Code = [];
  for (let n = 0; n < 8; n++) {
    const [a, b, c, d, e, f, g, h] = STATE.map((_, at) => get(STATE[(at + 8 - n) % 8]!));
    const choice = xor(g!, and(e!, xor(f!, g!)));
    const words = [load(get(AT), CONSTANTS + 4 * n), load(get(AT), WORDS + 4 * n)];
    const majority = or(and(a!, b!), and(c!, or(a!, b!)));
    code.push(...set(X, sum(h!, turned(e!, 6, 11, 25), choice, ...words)));
    code.push(...set(d![1]!, plus(d!, get(X))));
    code.push(...set(h![1]!, sum(get(X), turned(a!, 2, 13, 22), majority)));
  }
  return [...code, ...next(32)];
}

/** `hash(from, end)` takes the whole blocks in between into the state. */
function hash(): Code {
  const block = [
    ...set(AT, number(0)),
    ...loop(readWord(), isLess(get(AT), number(64))),
    ...loop(addWord(), isLess(get(AT), number(256))),
    ...STATE.flatMap((local, at) => set(local, load(number(0), 4 * at))),
    ...set(AT, number(0)),
    ...loop(rounds(), isLess(get(AT), number(256))),
    ...STATE.flatMap((local, at) => store(number(0), 4 * at, plus(load(number(0), 4 * at), get(local)))),
    ...set(FROM, plus(get(FROM), number(64))),
  ];
  const body = [...list([[LOCALS, I32]]), ...loop(block, isLess(get(FROM), get(END))), 0x0b];
  return [...unsigned(body.length), ...body];
}

/** FIPS 180-4: of the cube roots of the first primes 32 bits after the point. */
function constants(): Code {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const words = primes.map((prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) >>> 0);
  return [...new Uint8Array(Uint32Array.from(words).buffer)];
}

export function sha256Wasm(): Buffer {
  const exported = list([
    [...name('memory'), 2, 0],
    [...name('hash'), 0, 0],
  ]);
  const table = constants();
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...list([[I32], [I32]]), ...list([])]])),
    ...section(3, list([[0]])),
    ...section(5, list([[0, PAGES]])),
    ...section(7, exported),
    ...section(10, list([hash()])),
    ...section(11, list([[0, ...number(CONSTANTS), 0x0b, ...unsigned(table.length), ...table]])),
  ]);
}

if (process.argv[1] === import.meta.filename) console.log(sha256Wasm().toString('base64'));
