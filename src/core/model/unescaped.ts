/** A text's bytes as they read once every escape, run of blanks and Unicode form is one and the same, with their places. */
export type Unescaped = {
  bytes: Uint8Array;
  /** Where each byte's unit begins in what was read; one more for the end. Bytes of one unit have the same place. */
  starts: Uint32Array;
};

/** Between two values of JSON: no text has it. */
const BREAK = 0xff;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const MARK = /^\p{M}$/u;
/** Of no width: soft hyphen, zero-width blanks and joiners, byte order mark. */
const UNSEEN = /^[\u00ad\u200b-\u200d\u2060\ufeff]$/u;

class Writer {
  bytes: Uint8Array;
  starts: Uint32Array;
  length = 0;
  #marks: number[] = [];

  constructor(size: number) {
    this.bytes = new Uint8Array(size + 64);
    this.starts = new Uint32Array(size + 64);
  }

  put(byte: number, start: number): void {
    if (this.#marks.length > 0) this.#flush();
    if (byte === BLANK && this.length > 0 && this.bytes[this.length - 1] === BLANK) return;
    this.#add(byte, start);
  }

  /** A character that is not ASCII: its parts, accents in one order whatever they were written in. */
  putCharacter(character: string, start: number): void {
    for (const part of character.normalize('NFKD')) {
      if (UNSEEN.test(part)) continue;
      if (MARK.test(part)) this.#marks.push(part.codePointAt(0)!);
      else if (/^\s$/.test(part)) this.put(BLANK, start);
      else if (part.length === 1 && part < '\u0080') this.put(part.charCodeAt(0), start);
      else this.#putBytes(part, start);
    }
  }

  end(size: number): Unescaped {
    if (this.#marks.length > 0) this.#flush();
    this.#add(0, size);
    return { bytes: this.bytes.subarray(0, this.length - 1), starts: this.starts.subarray(0, this.length) };
  }

  #putBytes(part: string, start: number): void {
    if (this.#marks.length > 0) this.#flush();
    for (const byte of Buffer.from(part)) this.#add(byte, start);
  }

  #flush(): void {
    const marks = this.#marks.sort((a, b) => a - b);
    this.#marks = [];
    const start = this.starts[Math.max(0, this.length - 1)] ?? 0;
    for (const byte of Buffer.from(String.fromCodePoint(...marks))) this.#add(byte, start);
  }

  #add(byte: number, start: number): void {
    if (this.length === this.bytes.length) {
      const [bytes, starts] = [this.bytes, this.starts];
      this.bytes = new Uint8Array(2 * bytes.length);
      this.starts = new Uint32Array(2 * bytes.length);
      this.bytes.set(bytes);
      this.starts.set(starts);
    }
    this.bytes[this.length] = byte;
    this.starts[this.length++] = start;
  }
}

/**
 * Backslashes are left out, however many: JSON inside JSON doubles them. An escaped blank becomes a blank, and runs of
 * blanks are one. `json`: a quotation mark without a backslash ends a value, and no text goes over it.
 */
export function unescaped(source: Uint8Array, json: boolean): Unescaped {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const out = new Writer(bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) at = putEscape(bytes, at, out, json);
    else if (byte >= 0x80) at = putUtf8(bytes, at, out);
    else {
      if (byte === QUOTE && json) out.put(BREAK, at);
      else out.put(plain(byte), at);
      at++;
    }
  }
  return out.end(bytes.length);
}

/** The characters of `\b` and `\f` are written as their letters, since backslashes are left out. */
function plain(byte: number): number {
  if (byte === 0x08) return 0x62;
  if (byte === 0x0c) return 0x66;
  return byte >= 0x09 && byte <= 0x0d ? BLANK : byte;
}

function putEscape(bytes: Buffer, start: number, out: Writer, json: boolean): number {
  let at = start;
  let slashes = 0;
  for (;;) {
    if (bytes[at] === BACKSLASH) at++;
    // A backslash, written as an escape.
    else if (slashes > 0 && unitAt(bytes, at) === BACKSLASH) at += 5;
    else break;
    slashes++;
  }
  const next = bytes[at];
  if (next === 0x6e || next === 0x72 || next === 0x74) {
    out.put(BLANK, start);
    return at + 1;
  }
  if (next === QUOTE) {
    if (json && slashes % 2 === 0) out.put(BREAK, at);
    else out.put(QUOTE, start);
    return at + 1;
  }
  const unit = unitAt(bytes, at);
  if (unit === undefined) {
    if (next === undefined) return at;
    if (next >= 0x80) return putUtf8(bytes, at, out, start);
    out.put(plain(next), start);
    return at + 1;
  }
  const [character, end] = withPair(bytes, unit, at + 5);
  if (unit < 0x80) out.put(plain(unit), start);
  else out.putCharacter(character, start);
  return end;
}

/** The second half of a surrogate pair is an escape of its own. */
function withPair(bytes: Buffer, unit: number, after: number): [character: string, end: number] {
  if (unit < 0xd800 || unit > 0xdbff) return [String.fromCharCode(unit), after];
  let at = after;
  while (bytes[at] === BACKSLASH) at++;
  const low = at > after ? unitAt(bytes, at) : undefined;
  if (low === undefined || low < 0xdc00 || low > 0xdfff) return ['\ufffd', after];
  return [String.fromCharCode(unit, low), at + 5];
}

/** The value of `u00e9`; undefined for what is none. */
function unitAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== 0x75) return undefined;
  const digits = bytes.toString('latin1', at + 1, at + 5);
  return /^[\da-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function putUtf8(bytes: Buffer, at: number, out: Writer, start = at): number {
  const first = bytes[at]!;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
  out.putCharacter(bytes.toString('utf8', at, at + length), start);
  return at + length;
}
