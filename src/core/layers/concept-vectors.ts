import type { ExchangeRecord } from '../model/exchange.ts';
import { termsOf } from '../text/terms.ts';
import { keywordKey } from './keywords.ts';
import { telling } from './telling.ts';

/** An exchange as grouping sees it. */
export type Item = {
  record: ExchangeRecord;
  session: string;
  /** Terms and files by their number, of length 1. */
  vector: Map<number, number>;
  keywords: Set<string>;
  files: Set<string>;
};

/** A file that more of the exchanges touch says nothing of what one is about. */
const HUB = 0.2;
/** Below this many, even a file that all touch is no hub. */
const FEW = 10;
const FILE_WEIGHT = 1.2;
/** How much of the exchange before it an ask of a few words is about. */
const FOLLOWS = 0.6;
const SHORT_ASK = 5;
const RELATED = 0.03;
/** A session mostly stays with its topic. */
const GOES_ON = 0.4;
const STRONGEST = 40;

/** In canonical order: by time, then by id. The same set gives the same items, however it came together. */
export function itemsOf(sessions: { sessionId: string; exchanges: ExchangeRecord[] }[]): Item[] {
  const all = sessions.flatMap(({ sessionId, exchanges }) =>
    exchanges.map((record, place) => ({ record, session: sessionId, before: exchanges[place - 1] })),
  );
  const told = all.filter(({ record }) => record.keywords.length > 0);
  told.sort((a, b) => order(a.record, b.record));
  const documents = told.map(({ record }) => featuresOf(record));
  const frequency = new Map<string, number>();
  for (const document of documents)
    for (const key of document.keys()) frequency.set(key, (frequency.get(key) ?? 0) + 1);
  const numbers = new Map<string, number>();
  const hub = told.length < FEW ? Number.POSITIVE_INFINITY : Math.max(3, HUB * told.length);
  const weigh = (document: Map<string, number>): Map<number, number> => {
    const vector = new Map<number, number>();
    for (const [key, count] of document) {
      const times = frequency.get(key) ?? 0;
      if (key.startsWith(FILE) && times > hub) continue;
      const idf = Math.log((told.length + 1) / (times + 0.5));
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      if (idf > 0) vector.set(number, Math.sqrt(count) * idf);
    }
    return normalised(strongest(vector));
  };
  const own = documents.map(weigh);
  const byId = new Map(told.map(({ record }, place) => [record.id, own[place]!]));
  return told.map(({ record, session, before }, place) => ({
    record,
    session,
    vector: followed(record, own[place]!, before === undefined ? undefined : byId.get(before.id)),
    keywords: new Set(record.keywords.map(keywordKey)),
    files: new Set(record.files.filter((file) => (frequency.get(FILE + file) ?? 0) <= hub)),
  }));
}

const FILE = '\0';

function featuresOf(record: ExchangeRecord): Map<string, number> {
  const features = new Map<string, number>();
  const add = (key: string, weight: number) => features.set(key, (features.get(key) ?? 0) + weight);
  for (const term of termsOf(`${record.ask}\n${record.ask}\n${record.summary}`)) {
    const worth = telling(term);
    if (worth > 0) add(term, worth);
  }
  for (const keyword of record.keywords) for (const term of termsOf(keyword)) add(term, telling(term));
  for (const file of record.files) add(FILE + file, FILE_WEIGHT);
  return features;
}

/** "Yes, do that" is about what was talked of before. */
function followed(
  record: ExchangeRecord,
  own: Map<number, number>,
  before: Map<number, number> | undefined,
): Map<number, number> {
  if (!before) return own;
  const asked = termsOf(record.ask).filter((term) => telling(term) > 0).length;
  // Words of its own that have nothing to do with what came before begin another topic.
  if (asked >= 2 && product(own, before) < RELATED) return own;
  const share = asked < SHORT_ASK ? FOLLOWS : GOES_ON;
  const both = new Map(own);
  for (const [key, weight] of before) both.set(key, (both.get(key) ?? 0) + share * weight);
  return normalised(strongest(both));
}

/** The heaviest entries: what is left out would hardly count, and grouping costs by their number. */
function strongest(vector: Map<number, number>): Map<number, number> {
  if (vector.size <= STRONGEST) return vector;
  return new Map([...vector].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, STRONGEST));
}

function product(a: Map<number, number>, b: Map<number, number>): number {
  let sum = 0;
  for (const [key, weight] of a) sum += weight * (b.get(key) ?? 0);
  return sum;
}

function normalised(vector: Map<number, number>): Map<number, number> {
  let sum = 0;
  for (const weight of vector.values()) sum += weight * weight;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  for (const [key, weight] of vector) vector.set(key, weight / length);
  return vector;
}

export function order(a: { ts: string; id: string }, b: { ts: string; id: string }): number {
  return a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
