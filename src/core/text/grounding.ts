import { termsOf } from './terms.ts';

const CODE = /`([^`\n]+)`/g;
const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`)\]]+/gi;
/** At least one slash, or a name with an ending of letters. */
const PATHS =
  /(?<![\p{L}\p{N}_@])(?:[~.]{0,2}\/)?(?:[\p{L}\p{N}_.@+-]+\/)+[\p{L}\p{N}_.@+-]*|(?<![\p{L}\p{N}_./@-])[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.[A-Za-z][A-Za-z0-9]{0,5}(?![\p{L}\p{N}_])/gu;
/** `camelCase`, `PascalCase` of two humps, `snake_case`, `call()`, `CONST_NAME`, `a::b`, `--flag`, `@scope/name`, `#123`. */
const IDENTIFIERS =
  /(?<![\p{L}\p{N}_$])(?:[a-z$_]+[0-9]*[A-Z][A-Za-z0-9_$]*|(?:[A-Z][a-z0-9]+){2,}[A-Z]*|[A-Za-z0-9$]*_[A-Za-z0-9_$]+|[A-Za-z_$][\w$]*\(\)|[A-Za-z_]\w*(?:::\w+)+|--?[a-z][a-z0-9-]+(?==|\b)|@[\w.-]+\/[\w.-]+|#\d+)(?![\p{L}\p{N}_$])/gu;
const NUMBERS =
  /(?<![\p{L}\p{N}_$.])v?\d+(?:[.,:_]\d+)*(?![\p{L}\p{N}_$])|(?<![\p{L}\p{N}])[0-9a-f]{7,40}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_$.])\d+(?:[.,]\d+)*(?=(?:ms|s|m|h|d|k|kb|mb|gb|x|%)\b)/giu;
const COMMANDS =
  /(?<![p{L}p{N}_./-])(?:npm|npx|pnpm|yarn|bun|node|deno|git|gh|docker|kubectl|cargo|rustc|go|python3?|pip3?|uv|pytest|make|cmake|mvn|gradle|dotnet|ruby|bundle|rails|composer|php|terraform|aws|gcloud|curl|wget|ssh|rm|chmod|sudo|brew|apt(?:-get)?|systemctl|psql|sqlite3)\s+[a-z0-9.@:/_-]*[a-z0-9](?:\s+--?[a-z0-9-]+)*/gu;
/** Words that a command's name is followed by in plain prose. */
const PROSE_AFTER =
  /\s(?:and|or|to|is|was|were|are|has|had|the|a|an|in|on|for|with|from|that|this|it|its|of|at|by|as|but|not|which|when|then|so|instead|again|now|still|also|would|will|can|could|should|does|did|command|commands|script|scripts|version|versions|process|server|code|files?|tests?|errors?|repository|repo|history|package|packages|container|containers|image|images|modules?|project|api|cli|calls?|request|requests)$/;
const LIST_NUMBER = /^\s*(?:[-*+]\s+)?\d{1,3}[.)]\s+/gm;
const LONGEST = 400;

/** What a text was made from, and what of it is not there. */
export type Grounding = {
  /** Paths, numbers, commands and names in a sentence that its source does not have. */
  unknownIn(sentence: string): string[];
  /** The share of a text's important words that are in the source; 1 if it has none. */
  share(text: string): number;
};

export function groundingIn(source: string): Grounding {
  const plain = flat(source);
  const numbers = new Set(namesIn(source, NUMBERS).map(number));
  let terms: Set<string> | undefined;
  const known = new Map<string, boolean>();
  const appears = (name: string) => {
    const found = known.get(name) ?? appearsIn(plain, name);
    known.set(name, found);
    return found;
  };
  return {
    unknownIn(sentence) {
      const text = sentence.replace(LIST_NUMBER, '');
      const unknown = [...new Set(claimsOf(text))].filter((name) => !appears(flat(name)));
      const figures = namesIn(withoutClaims(text), NUMBERS).filter(
        (it) => !numbers.has(number(it)) && !appears(it),
      );
      return [...new Set([...unknown, ...figures])];
    },
    share(text) {
      terms ??= new Set(termsOf(source));
      const own = [...new Set(termsOf(text))];
      return own.length === 0 ? 1 : own.filter((term) => terms!.has(term)).length / own.length;
    },
  };
}

/** All that a sentence claims to exist, numbers aside. */
function claimsOf(text: string): string[] {
  const coded = [...text.matchAll(CODE)]
    .map(([, code]) => code!.trim())
    .filter((code) => /[\p{L}\p{N}]/u.test(code));
  const rest = text.replace(CODE, ' ');
  const commands = namesIn(rest, COMMANDS).filter((command) => !PROSE_AFTER.test(command));
  const paths = namesIn(rest.replace(URLS, ' '), PATHS).map(trimmed).filter(isPath);
  const names = namesIn(rest.replace(URLS, ' '), IDENTIFIERS);
  return [...coded, ...namesIn(rest, URLS).map(trimmed), ...commands, ...paths, ...names];
}

/** The digits of names are checked with the names. */
function withoutClaims(text: string): string {
  return text
    .replace(CODE, ' ')
    .replace(URLS, ' ')
    .replace(PATHS, (path) => (isPath(trimmed(path)) ? ' ' : path))
    .replace(IDENTIFIERS, ' ');
}

function namesIn(text: string, pattern: RegExp): string[] {
  return text.slice(0, 100_000_000).match(pattern) ?? [];
}

function trimmed(name: string): string {
  return name.replace(/[.,;:!?]+$/, '').slice(0, LONGEST);
}

/** `and/or` is none, `e.g` neither. */
function isPath(text: string): boolean {
  if (/^(?:e\.g|i\.e|a\.k\.a|etc|vs|z\.B|d\.h|u\.a)\.?$/i.test(text)) return false;
  if (/^\d+(?:\.\d+)+$/.test(text)) return false;
  if (!text.includes('/')) return /\.[A-Za-z][A-Za-z0-9]{0,5}$/.test(text);
  return /[._~\d]|^\/|\/.*\//.test(text) || text.endsWith('/');
}

function number(text: string): string {
  return text
    .replace(/^v(?=\d)/i, '')
    .replace(/[,_](?=\d{3}(?!\d))/g, '')
    .toLowerCase();
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** As a whole: `a.ts` is not in `data.ts`, `12` not in `312`. */
function appearsIn(source: string, name: string): boolean {
  const first = isWord(name[0]);
  const last = isWord(name.at(-1));
  for (let at = source.indexOf(name); at !== -1; at = source.indexOf(name, at + 1)) {
    if (first && isWord(source[at - 1])) continue;
    if (last && isWord(source[at + name.length])) continue;
    return true;
  }
  return false;
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
}
