import { termsOf, tokenPattern } from '../text/terms.ts';
import type { Group } from './concept-groups.ts';
import { keywordKey } from './keywords.ts';
import { telling } from './telling.ts';

const LONGEST = 59;
const LONGEST_PHRASE = 4;
const NUMBERED = /^\d|^[0-9a-f]{6,}$/i;
/** Words that do not begin or end a name. */
const LOOSE =
  /^(?:happens?|seems?|with|found|added|fixed|updated|removed|changed|created|implemented|all|both|the|new|following|based|add|fix|use|using|make|implement|update|remove|let|lets)$/i;

type Keyword = { key: string; form: string; count: number; worth: number };

/**
 * A name for each group, each its own: the phrase that most of its exchanges have in common around a keyword of more than
 * half of them, else that keyword with the next ones.
 */
export function nameGroups(groups: Group[]): string[] {
  const spread = new Map<string, number>();
  for (const group of groups)
    for (const key of group.keywords.keys()) spread.set(key, (spread.get(key) ?? 0) + 1);
  const taken = new Set<string>();
  return groups.map((group) => {
    const keywords = keywordsOfGroup(group, spread, groups.length);
    for (const name of candidates(group, keywords)) {
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
    return '';
  });
}

/** Those that tell most first: held by many of its exchanges and by few other groups. */
export function keywordsOfGroup(group: Group, spread: Map<string, number>, groups: number): Keyword[] {
  const forms = new Map<string, Map<string, number>>();
  for (const { record } of group.items) {
    for (const form of record.keywords) {
      const key = keywordKey(form);
      const known = forms.get(key) ?? new Map();
      forms.set(key, known.set(form, (known.get(form) ?? 0) + 1));
    }
  }
  return [...group.keywords]
    .map(([key, count]) => {
      const rarity = Math.log((groups + 1) / ((spread.get(key) ?? 0) + 0.5));
      return {
        key,
        count,
        form: commonest(forms.get(key)),
        worth: (count / group.items.length) * (rarity + 0.3) * (0.3 + telling(key)),
      };
    })
    .sort((a, b) => b.worth - a.worth || (a.key < b.key ? -1 : 1));
}

function* candidates(group: Group, keywords: Keyword[]): Generator<string> {
  const half = group.items.length / 2;
  const anchors = keywords.filter(({ count }) => count > half);
  const [anchor = keywords[0]] = anchors;
  if (!anchor) {
    yield* numbered('Other');
    return;
  }
  for (const { key } of anchors.slice(0, 3)) {
    const phrase = commonPhrase(group, key);
    if (phrase !== undefined) yield fitted(phrase);
  }
  const others = keywords.filter(({ key, form }) => key !== anchor.key && !related(form, anchor.form));
  for (let end = 2; end <= Math.min(others.length, 6); end++)
    yield fitted(
      `${anchor.form}: ${others
        .slice(end - 2, end)
        .map(({ form }) => form)
        .join(', ')}`,
    );
  if (others[0]) yield fitted(`${anchor.form}: ${others[0].form}`);
  yield* numbered(anchor.form);
}

function* numbered(name: string): Generator<string> {
  yield capital(name);
  for (let number = 2; ; number++) yield `${capital(name)} (${number})`;
}

/** The run of words with this keyword that most exchanges have; undefined where no two have one. */
function commonPhrase(group: Group, key: string): string | undefined {
  const counts = new Map<string, { items: number; phrase: string; words: number }>();
  for (const { record } of group.items) {
    const seen = new Set<string>();
    for (const phrase of phrasesOf(`${record.ask}\n${record.summary}`, key)) {
      const id = phrase.toLowerCase();
      if (seen.has(id)) continue;
      seen.add(id);
      const known = counts.get(id) ?? { items: 0, phrase, words: phrase.split(' ').length };
      known.items++;
      counts.set(id, known);
    }
  }
  const least = group.items.length === 1 ? 1 : Math.max(2, group.items.length * 0.2);
  let best: string | undefined;
  let most = 0;
  for (const { items, phrase, words } of counts.values()) {
    const worth = items * (1 + 0.4 * (words - 1));
    if (items >= least && phrase.length <= LONGEST && worth > most) [best, most] = [phrase, worth];
  }
  return best;
}

/** Runs of two to four words that all say something, one of them the keyword. */
function phrasesOf(text: string, key: string): string[] {
  const phrases: string[] = [];
  let run: { form: string; key: string }[] = [];
  let end = 0;
  const close = () => {
    for (let from = 0; from < run.length; from++) {
      for (let size = 2; size <= LONGEST_PHRASE && from + size <= run.length; size++) {
        const words = run.slice(from, from + size);
        if (
          words.some((word) => word.key === key) &&
          !LOOSE.test(words[0]!.form) &&
          !LOOSE.test(words.at(-1)!.form)
        )
          phrases.push(words.map((word) => word.form).join(' '));
      }
    }
    run = [];
  };
  for (const match of text.matchAll(tokenPattern(text))) {
    const gap = text.slice(end, match.index);
    end = match.index + match[0].length;
    if (gap !== ' ' && gap !== ' `' && gap !== '` ') close();
    // Words without a term are stop words: no name runs over them.
    const [term] = termsOf(match[0]);
    if (term === undefined || telling(term) === 0 || NUMBERED.test(match[0])) close();
    else run.push({ form: match[0], key: keywordKey(match[0]) });
  }
  close();
  return phrases;
}

function related(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x.includes(y) || y.includes(x);
}

function fitted(name: string): string {
  if (name.length <= LONGEST) return capital(name);
  const cut = name.slice(0, LONGEST).replace(/[\s,:]+\S*$/, '');
  return capital(cut);
}

/** A plain word begins with a capital; a name of code stays as it is. */
function capital(name: string): string {
  return /^[a-zà-ÿ]+(?:[ :,]|$)/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name;
}

function commonest(forms: Map<string, number> | undefined): string {
  let [best, most] = ['', 0];
  for (const [form, count] of forms ?? [])
    if (count > most || (count === most && form.length < best.length)) [best, most] = [form, count];
  return best;
}
