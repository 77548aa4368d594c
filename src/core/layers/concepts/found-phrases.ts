import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { withoutImages } from '../titles/plain-ask.ts';
import { isProper, nounPhrasesIn, type PhraseWord } from './noun-phrases.ts';

/** Exchanges of a group that its name is looked for in. */
export const MOST_READ = 60;
/** Characters of an exchange's details that a name is looked for in. */
export const NAMING_DETAILS = 300;
/** How well what was written where names a thing. */
export const NAMING_SOURCES = { commit: 2, ask: 1.4, title: 1, summary: 0.8, details: 0.5 };

/** A noun phrase of several exchanges: its forms with their weights, and how often it is a name. */
export type FoundPhrase = {
  keys: string[];
  forms: Map<string, number>;
  hits: number;
  items: number;
  named: number;
};

const UNSPOKEN = /^[b-df-hj-np-tv-xz]{2,4}$/i;

/** By a word in small letters, how often each of its forms is inside a sentence. */
export type Spellings = Map<string, Map<string, number>>;

/** A word of a heading is spelled as it is inside of sentences: "Attribution Bug", "php". */
export function asSpelled(text: string, spelled: Spellings): string {
  const plain = (word: string) => {
    if (!/^[A-Z]?[a-z]+$/.test(word)) return word;
    const forms = spelled.get(word.toLowerCase());
    const initials = word.toUpperCase();
    if (UNSPOKEN.test(word) && forms?.has(initials)) return initials;
    return forms === undefined || (forms.get(word) ?? 0) * 2 >= sum(forms) ? word : commonest(forms);
  };
  return text.split(' ').map(plain).join(' ');
}

function sum(counts: Map<string, number>): number {
  let all = 0;
  for (const count of counts.values()) all += count;
  return all;
}

export function addPhrases(
  record: ExchangeRecord,
  found: Map<string, FoundPhrase>,
  spelled: Spellings,
): void {
  const own = new Map<string, { words: PhraseWord[]; weight: number }>();
  for (const [text, weight] of textsOf(record))
    for (const words of nounPhrasesIn(text)) {
      const [{ form, before } = { form: '', before: '' }] = words;
      if (before !== '' || UNSPOKEN.test(form)) {
        const forms = spelled.get(form.toLowerCase()) ?? new Map<string, number>();
        spelled.set(form.toLowerCase(), forms.set(form, (forms.get(form) ?? 0) + 1));
      }
      const id = words.map(({ key, form }) => key || form.toLowerCase()).join(' ');
      const known = own.get(id);
      if (!known || known.weight < weight) own.set(id, { words, weight });
    }
  for (const [id, { words, weight }] of own) {
    const keys = words.flatMap(({ key }) => (key === '' ? [] : key.split(' ')));
    const known = found.get(id) ?? { keys, forms: new Map(), hits: 0, items: 0, named: 0 };
    const text = words.map(({ form }) => form).join(' ');
    known.forms.set(text, (known.forms.get(text) ?? 0) + weight);
    known.hits += weight;
    known.items++;
    if (words.length === 1 && isProper(words[0]!)) known.named += weight;
    found.set(id, known);
  }
}

function textsOf({ ask, title, commits, summary, details }: ExchangeRecord): [string, number][] {
  return [
    ...(commits ?? []).map((subject): [string, number] => [subject, NAMING_SOURCES.commit]),
    [withoutImages(ask), NAMING_SOURCES.ask],
    [title ?? '', NAMING_SOURCES.title],
    [summary, NAMING_SOURCES.summary],
    [details.slice(0, NAMING_DETAILS), NAMING_SOURCES.details],
  ];
}

export function termsIn(record: ExchangeRecord): Set<string> {
  const terms = new Set(record.keywords.map(keywordKey));
  for (const [text] of textsOf(record)) for (const term of termsOf(text)) terms.add(term);
  return terms;
}

/** What an exchange is about by its ask, its title and its commits: its report names much besides. */
export function askedTerms({ ask, title = '', commits = [] }: ExchangeRecord): Set<string> {
  return new Set(termsOf([withoutImages(ask), title, ...commits].join('\n')));
}

/** The maximum number of them, evenly from the first to the last: a large group repeats itself. */
export function spreadOver<T>(items: T[]): T[] {
  const step = Math.max(1, items.length / MOST_READ);
  return Array.from(
    { length: Math.min(items.length, MOST_READ) },
    (_, place) => items[Math.floor(place * step)]!,
  );
}

export function commonest(forms: Map<string, number>): string {
  let [best, most] = ['', 0];
  for (const [form, count] of forms)
    if (
      count > most ||
      (count === most && (form.length < best.length || (form.length === best.length && form < best)))
    )
      [best, most] = [form, count];
  return best;
}
