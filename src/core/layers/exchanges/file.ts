import type { ExchangeFile, ExchangeRecord } from '../../model/exchange.ts';
import { shortHash } from '../../model/ids.ts';
import { LAYERS_ENGINE } from '../../model/layers-engine.ts';
import { parseOutside } from '../../model/parse-stored.ts';

/** The last line of the file contains all that changes when a session grows; it is shorter than this. */
export const END_BYTES = 8192;

const NEW_LINE = Buffer.from('\n');

export type ExchangeEnd = Pick<ExchangeFile, 'l1' | 'resume'>;
/** Where in L1 the last exchange and the one before it begin. */
export type ResumeFrom = Pick<ExchangeFile['resume'], 'before' | 'last'>;
/** The end of a file: from `end.resume.at` on all is as it was written, and holds these one or two exchanges. */
export type KnownEnd = { end: ExchangeEnd; records: ExchangeRecord[] };

/** One JSON value, an exchange a line: what grows is its end. */
export function exchangeHead(sessionId: string): string {
  return `{"engine":${LAYERS_ENGINE},"sessionId":${JSON.stringify(sessionId)},"exchanges":[\n`;
}

/** The file from byte `at` on, which is where the first of the records is. */
export function exchangeTail(
  records: ExchangeRecord[],
  at: number,
  l1: ExchangeFile['l1'],
  from: ResumeFrom,
): string {
  const lines = records.map((record) => JSON.stringify(record));
  const early = lines.slice(0, -2).reduce((sum, line) => sum + Buffer.byteLength(line) + 2, 0);
  const open = lines.slice(-2).join(',\n');
  const places = { ...from, at: at + early };
  const end: ExchangeEnd = { l1, resume: { ...places, check: checkOf(open, l1, places) } };
  const body = lines.length === 0 ? '' : `${lines.join(',\n')}\n`;
  return `${body}],${JSON.stringify(end).slice(1)}\n`;
}

/** Undefined when `bytes`, the last of a file, are not the whole end of one. */
export function readExchangeEnd(bytes: Buffer): ExchangeEnd | undefined {
  const line = bytes.toString('utf8', bytes.lastIndexOf(0x0a, -2) + 1);
  if (!line.startsWith('],') || !line.endsWith('}\n')) return undefined;
  const { l1, resume } = (parseOutside(`{${line.slice(2)}`) ?? {}) as Partial<ExchangeEnd>;
  const numbers = [l1?.bytes, l1?.lines, l1?.engine, resume?.before, resume?.last, resume?.at];
  const words = [l1?.file, l1?.tail, resume?.check];
  if (!l1 || !resume || !words.every((it) => typeof it === 'string')) return undefined;
  return numbers.every((it) => Number.isSafeInteger(it) && it! >= 0) ? { l1, resume } : undefined;
}

/** The exchanges in `bytes`, which reach from `end.resume.at` to the end of the file; undefined where a write was cut off. */
export function readKnownEnd(bytes: Buffer, end: ExchangeEnd): KnownEnd | undefined {
  const stop = bytes.lastIndexOf(0x0a, -2);
  const open = stop === -1 ? '' : bytes.toString('utf8', 0, stop);
  const { check, ...places } = end.resume;
  if (checkOf(open, end.l1, places) !== check) return undefined;
  const records = parseOutside(`[${open}]`);
  return Array.isArray(records) && records.every(isRecord) ? { end, records } : undefined;
}

/** The whole file, piece by piece; of each exchange what is asked for is kept. */
export class ExchangeReader<T> {
  readonly found: T[] = [];
  readonly #head: Buffer;
  readonly #as: (record: ExchangeRecord) => T;
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;
  #ended = false;
  #lines = 0;

  constructor(sessionId: string, as: (record: ExchangeRecord) => T) {
    this.#head = Buffer.from(exchangeHead(sessionId));
    this.#as = as;
  }

  get isWhole(): boolean {
    return this.#ended && this.#rest.length === 0;
  }

  /** False when the file is damaged, of another engine or of another session. */
  take(piece: Buffer): boolean {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, at)) {
      if (!this.#line(bytes.subarray(at, end))) return false;
      at = end + 1;
    }
    this.#rest = bytes.subarray(at);
    return true;
  }

  #line(line: Buffer): boolean {
    if (!this.#begun) {
      this.#begun = true;
      return line.equals(this.#head.subarray(0, -1));
    }
    if (this.#ended) return false;
    if (line[0] === 0x5d) {
      this.#ended = readExchangeEnd(Buffer.concat([line, NEW_LINE])) !== undefined;
      return this.#ended;
    }
    const more = line.at(-1) === 0x2c;
    const record = parseOutside(
      line.toString('utf8', 0, more ? line.length - 1 : line.length),
    ) as ExchangeRecord;
    // Each begins where the one before it ended.
    if (!isRecord(record) || record.l1_range[0] !== this.#lines + 1) return false;
    this.#lines = record.l1_range[1];
    this.found.push(this.#as(record));
    return true;
  }
}

/** Checked by hand: this is read wherever a session is ingested, and must not load the schemas. */
function isRecord(record: Partial<ExchangeRecord> | null | undefined): boolean {
  if (!record) return false;
  const { files, keywords, l1_range, commands, said, failed, fixed, design } = record;
  const lists = [files, keywords, l1_range, commands, said, failed, fixed, design];
  const words = [record.id, record.ts, record.summary, record.details, record.ask, record.outcome];
  return (
    words.every((it) => typeof it === 'string') &&
    typeof record.src === 'number' &&
    lists.every(Array.isArray)
  );
}

function checkOf(open: string, l1: ExchangeFile['l1'], places: ResumeFrom & { at: number }): string {
  return shortHash(`${open}\n${JSON.stringify([l1, places])}`, 16);
}
