import { BoundedCache } from '../../text/bounded-cache.ts';
import { termsOf, tokenPattern } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { termWeight } from '../term-weight.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Only ever what is done with a thing, in any of its forms. */
const VERBS = words(
  'inspect rescan dump untangle double taking maintain respect deactivate activate dispatch capture launch reinstall inject displace spawn delegate select suck ship fire pick sit seems grow ' +
    'add adjust affect align allow appear apply assign assume attempt avoid become begin behave believe bring bump ' +
    'bypass choose clarify collect come complete compute configure confirm consider contain continue convert create ' +
    'debug decide delete depend detect determine did disable discuss do does done enable encounter encourage enhance ' +
    'ensure exclude exist expect explain extend extract find fix follow forget gave generate get gets give go guess ' +
    'handle happen have help hide identify ignore implement improve include increase integrate introduce investigate ' +
    'invoke keep kept know lead leave let like look made make mean migrate modify move notice overwrite perform ' +
    'persist prefer prevent proceed propose provide put ran receive recreate reduce refactor refine reflect ' +
    'reject rely remain remember remove rename replace require resolve respond restore retrieve reuse revert rework ' +
    'rewrite said saw say see seem send serve show shown simplify skip solve specify stay strip suggest take talk ' +
    'tell think took translate treat try understand upgrade use used using validate verify want went wonder wrap ' +
    'warn scrub redact subtract write written including regarding concerning containing according during',
);
/** What is done with a thing, or a thing: by what comes before it. */
const VERB_OR_NOUN = words(
  'prepare address answer ask build cache call cause change check clean clone commit copy deploy deprecate design display ' +
    'document download draft drop edit export fail fetch filter focus force format guard handoff hook import input ' +
    'install iterate label limit link lint list load lock log map mark match merge mock model monitor name need note ' +
    'open order parse pass patch plan point post print process pull purge push query queue read rebase record ' +
    'reference refresh release render report request reset restart result resume retry return review run save scan ' +
    'scope script search select set sketch sort sound split stage start state step stop store stub summary support ' +
    'surface switch sync tag target test time toggle touch trace track trigger turn type update upload view visit ' +
    'wait walk watch wire work',
);
/** Of these the form in -s is nearly always what a thing does. */
const DONE_BY = words(
  'fail pass fetch push pull return load parse render trigger track hang crash break dismiss ship take',
);
/** After these a word that may be either is done. */
const BEFORE_VERB = words(
  "to can could will would should must may might please you we i they it that which who not don't dont let's lets and then also just now " +
    "can't won't doesn't didn't shall never always help",
);
/** No name ends in one of these, and most begin with none. */
const LOOSE = words(
  'happens seems found available same new old current existing own whole other another different proper properly able sure ready fine good ' +
    'better best bad great nice right wrong correct full empty missing present single separate specific certain various multiple several ' +
    'following next last first second third final previous recent latest original actual real entire such many more most less least few much ' +
    'one two three four five both either neither each every all any some thing things way ways lot bit kind sort part parts case cases point ' +
    'issue issues problem problems question questions example examples idea ideas reason reasons detail details summary time times day today ' +
    'yes no ok okay thanks please maybe really actually already currently still even again back away together instead else ever soon later ' +
    'here there everything anything something nothing everyone someone use get put set via per onto rather quite pretty super ' +
    'high low big small large long short easy hard simple quick clear important necessary possible likely unlikely main key general overall ' +
    'hmm eh gah oh ah hey hi hello based due likewise minor major medium severity expected unexpected intended like feat chore docs ' +
    'earlier https http www com true false null undefined none since though thats because while however etc whether never always dont doesnt isnt cant plus unless until yet ongoing successfully comprehensive fully fresh additional related relevant',
);
/** May be between the parts of a name; what goes `to` or comes `from` somewhere is an event. */
const JOINS = words('of for in per');
/** What comes behind them is no subject of a verb. */
const PREPOSITIONS = words(
  'of for in per from on to between with without by at into onto via after before as',
);
const ARTICLES = words('the a an');
const MOST_WORDS = 5;
/** Of tickets, addresses and places on one machine. */
const REFERENCE =
  /^[a-z]{1,6}-\d+[a-z]?(?:\.\d+)?$|^(?:home|users|tmp|var|private)\/|^[\w-]+\.(?:com|org|io|dev|net)\/|(?:\/.*){3}|^\w$|\$$/i;
const NUMBERED = /^\d|(?:^|\/)[0-9a-f]{6,}$|[0-9a-f]{8}-[0-9a-f]{4}|^[0-9a-f]{7,}$/i;
const HAND_MADE = /\.(?:ts|tsx|js|jsx|mjs|go|rs|py|c|h|cu|cpp|java|rb|php|vue|css|html|sh|swift|kt)$/i;
/** A command of two or three words, set as code: `git push`. */
const COMMAND = /(?<!`)`([a-z][\w-]+(?: [a-z][\w-]+){1,2})`(?!`)/g;
const GAP = /^ ?[`"'“”‘’*]{0,2}$|^[`"'“”‘’*]{0,2} [`"'“”‘’*]{0,2}$/;

/** A word of a phrase: as written, its stem, and the word before it. */
export type PhraseWord = { form: string; key: string; before: string };
type Kind = 'noun' | 'verb' | 'either' | 'joins' | 'article' | 'loose' | 'end';
type Token = PhraseWord & { kind: Kind; gap: boolean; owns: boolean };
type Word = Omit<PhraseWord, 'before'> & { kind: Kind };

/** The noun phrases of a text: runs of words that name something, each with those that end it alike. */
export function nounPhrasesIn(text: string): PhraseWord[][] {
  const found: PhraseWord[][] = [];
  let run: Token[] = [];
  let joined: Token[] | undefined;
  const close = () => {
    const plain = trimmed(run);
    if (plain.length > 0 && plain.length <= MOST_WORDS) {
      for (let from = 0; from < plain.length; from++)
        if (canBegin(plain[from]!)) found.push(plain.slice(from));
      if (joined && joined.length + plain.length <= MOST_WORDS + 2) found.push([...joined, ...plain]);
    }
    run = [];
    return plain;
  };
  for (const token of tokensOf(text)) {
    if (!token.gap || isClause(run, token)) {
      close();
      joined = undefined;
    }
    if (token.kind === 'noun' || token.kind === 'loose' || (token.kind === 'either' && !isDone(token, run)))
      run.push(token);
    else if (token.kind === 'article' && run.length === 0 && joined) joined.push(token);
    else {
      const last = run.at(-1);
      const before = close();
      const goesOn =
        token.kind === 'joins' && before.length < 4 && last !== undefined && before.at(-1) === last;
      joined = goesOn ? [...before, token] : undefined;
    }
  }
  close();
  for (const [, command = ''] of text.matchAll(COMMAND))
    found.push(
      command.split(' ').map((form) => ({ form, key: wordOf(form).key || keywordKey(form), before: '`' })),
    );
  return found;
}

function isDone({ before }: Token, run: Token[]): boolean {
  return run.length === 0 && (before === '' || BEFORE_VERB.has(before));
}

function canBegin({ kind, form }: Token): boolean {
  return kind !== 'loose' && form.length > 1;
}

function trimmed(run: Token[]): Token[] {
  let [from, to] = [0, run.length];
  while (from < to && (run[from]!.kind === 'loose' || isParticiple(run[from]!))) from++;
  while (from < to - 1 && isThirdPerson(run[from]!)) from++;
  while (
    to > from &&
    (isLooseEnd(run[to - 1]!) ||
      (to - 1 > from && (isPredicate(run[to - 1]!, run[to - 2]!) || isDoing(run[to - 1]!, run[to - 2]!))))
  )
    to--;
  return run.slice(from, to);
}

function isLooseEnd({ kind, form }: Token): boolean {
  return kind === 'loose' || /^[a-z]+(?:ed|ly)$/.test(form);
}

/** "Tracks ownership". */
function isThirdPerson({ form, before }: Token): boolean {
  return (
    /^[A-Z]?[a-z]+[^s]s$/.test(form) && !ARTICLES.has(before) && VERB_OR_NOUN.has(baseOf(form.toLowerCase()))
  );
}

/** "The tests pass". */
function isPredicate({ kind, form }: Token, subject: Token): boolean {
  return kind === 'either' && !/[^s]s$/.test(form) && /[a-z]s$/.test(subject.form);
}

/** "The fork's `refs/v1`", "the repo fetches branches": what comes next is not part of the same name. */
function isClause(run: Token[], { form }: Token): boolean {
  const [last, subject] = [run.at(-1), run.at(-2)];
  if (last?.owns) return /[^A-Za-z]/.test(form);
  return last !== undefined && subject !== undefined && isDoing(last, subject);
}

/** "The test fails". */
function isDoing({ form }: Token, subject: Token): boolean {
  return /[^s]s$/.test(form) && DONE_BY.has(baseOf(form.toLowerCase())) && !/s$/.test(subject.form);
}

function baseOf(word: string): string {
  if (/(?:ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** "Fetching metadata", "fixed paths": what is done with it, unless an article says otherwise. */
function isParticiple({ form, before }: Token): boolean {
  return /^[A-Z]?[a-z]+(?:ing|ed)$/.test(form) && !ARTICLES.has(before) && !PREPOSITIONS.has(before);
}

function* tokensOf(text: string): Generator<Token> {
  let [end, before] = [0, ''];
  for (const match of text.matchAll(tokenPattern(text))) {
    const gap = end > 0 && GAP.test(text.slice(end, match.index));
    end = match.index + match[0].length;
    const form = match[0].replace(/['’]s$/, '');
    yield { ...wordOf(form), before: gap ? before : '', gap, owns: form !== match[0] };
    before = match[0].toLowerCase();
  }
}

const known = new BoundedCache<string, Word>(20_000);

function wordOf(form: string): Word {
  return known.get(form) ?? known.set(form, { form, ...classified(form) });
}

function classified(form: string): { key: string; kind: Kind } {
  const lower = form.toLowerCase();
  if (JOINS.has(lower)) return { key: '', kind: 'joins' };
  if (ARTICLES.has(lower)) return { key: '', kind: 'article' };
  const [term] = termsOf(form);
  if (term === undefined || NUMBERED.test(form) || REFERENCE.test(form) || form.length > 40)
    return { key: '', kind: 'end' };
  // `CPU/GPU` is about both.
  const key = /^[A-Za-z]{2,12}\/[A-Za-z]{2,12}$/.test(form)
    ? termsOf(form).slice(1).join(' ')
    : keywordKey(form);
  if (LOOSE.has(lower)) return { key, kind: 'loose' };
  if (termWeight(term) === 0) return { key: '', kind: 'end' };
  if (/ly$/.test(lower) && lower.length > 5 && !/(?:family|assembly|reply|anomaly|supply)$/.test(lower))
    return { key: '', kind: 'end' };
  if (VERB_OR_NOUN.has(lower)) return { key, kind: 'either' };
  if (isVerb(lower)) return { key: '', kind: 'verb' };
  return { key, kind: 'noun' };
}

/** In any of its plain forms, besides the one in -er. */
function isVerb(word: string): boolean {
  if (VERBS.has(word) || /(?:[a-z]{3}ize|[a-z]{3}ify)$/.test(word)) return true;
  const stem = word.replace(/(?:ies|ied)$/, 'y').replace(/(?:es|ed|s|d)$/, '');
  if (stem === word) return false;
  return VERBS.has(stem) || VERBS.has(`${stem}e`) || (/(.)\1$/.test(stem) && VERBS.has(stem.slice(0, -1)));
}

/** A name of its own: written like one in the middle of a sentence, or an identifier. */
export function isProper({ form, before }: PhraseWord): boolean {
  return /[a-z][A-Z]|[_/-]|^[A-Z]{2,}|\w\.\w/.test(form) || (before !== '' && /^[A-Z][a-z]+$/.test(form));
}

/** Names of code files say where, seldom what. */
export function isFileName(form: string): boolean {
  return HAND_MADE.test(form);
}
