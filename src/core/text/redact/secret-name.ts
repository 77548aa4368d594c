const LONGEST_NAME = 60;
/** A word after the one that names a secret, which changes nothing. */
const ENDING = new Set([
  ...['prod', 'production', 'dev', 'staging', 'test', 'local', 'base', 'value', 'old', 'new', 'text'],
  ...[
    'data',
    'file',
    'string',
    'primary',
    'secondary',
    'live',
    'b',
    'base',
    'hex',
    'p',
    'pem',
    'plain',
    'plaintext',
  ],
]);
/** Also joined to what precedes it, as in PGPASSWORD; the short ones only alone. */
const PASSWORD =
  /(?:password|passwd|passphrase|passcode|passwort)$|^(?:pwd|pass|passe|psk|pw)$|(?:require|store|key|db|ssh|sudo|user|root|admin|smtp|ftp)pass$/;
const KEY_OF = new Set([
  ...[
    'api',
    'secret',
    'private',
    'access',
    'account',
    'encryption',
    'signing',
    'auth',
    'master',
    'shared',
    'preshared',
  ],
  ...[
    'service',
    'app',
    'license',
    'deploy',
    'session',
    'jwt',
    'hmac',
    'webhook',
    'crypto',
    'client',
    'admin',
  ],
  ...['primary', 'secondary', 'write', 'function', 'functions', 'subscription', 'storage', 'application'],
  ...['salt', 'nonce', 'security', 'logged', 'instrumentation'],
]);

/** A key of some service, or of a cache: only its value shows which. */
const ANY_KEY = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_KEY$|^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*[_-]key$|^[kK]ey$/;

/** Where the name around a place in it begins; undefined when it is too long, which also keeps endless words cheap. */
export function startOfName(text: string, at: number): number | undefined {
  let start = at;
  while (start > 0 && isNameUnit(text.charCodeAt(start - 1))) {
    if (at - start > LONGEST_NAME) return undefined;
    start--;
  }
  // The letter of an escaped line break is not part of the name after it.
  if (start > 0 && text[start - 1] === '\\' && start < at && /[nrt]/.test(text[start]!)) start++;
  return start;
}

export function endOfName(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at <= LONGEST_NAME && isNameUnit(text.charCodeAt(end))) end++;
  return end;
}

/** Letters, digits, "_", "-" and ".". */
function isNameUnit(unit: number): boolean {
  const letter = unit | 32;
  return (
    (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45 || unit === 46
  );
}

/** What a name says of its value: `DB_PASSWORD`, `clientSecret`, `x-api-key`, `api key`; undefined for `tokenCount`, `keys`. */
export function kindOfName(text: string, start: number, end: number): string | undefined {
  const name = text.slice(start, end);
  const words = wordsOf(name);
  if (words.length === 1 && words[0] === 'key') words.unshift(...wordBefore(text, start));
  while (words.length > 1 && ENDING.has(words.at(-1)!)) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (PASSWORD.test(last)) return 'password';
  if (/apikey$/.test(last) || (last === 'key' && before === 'api')) return 'api-key';
  if (last === 'accountkey' || (last === 'key' && before === 'account')) return 'azure-key';
  if (
    /(?:secret|access|private)key$/.test(last) ||
    (last === 'key' && words.slice(0, -1).some((word) => KEY_OF.has(word)))
  )
    return 'secret';
  if (/secrets?$/.test(last) || /[_-]auth$/i.test(name) || (name === 'auth' && /["\\]/.test(text[end] ?? '')))
    return 'secret';
  if (/^(?:creds?|credentials?|bearer|pat|salt)$/.test(last) && words.length > 1) return 'secret';
  if (last.endsWith('token')) return 'token';
  return ANY_KEY.test(name) ? 'key' : undefined;
}

const ANY_WORD =
  /pass(?:word|wd|phrase|code)|secret|token(?!s|i[sz]|[_-]?(?:count|usage|limit))|api[_-]?key|credential/i;

/** Whether some part of a name promises a secret: enough for a value that can be nothing else. */
export function hasSecretWord(name: string): boolean {
  return ANY_WORD.test(name);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** `API key`, `secret access key`. */
function wordBefore(text: string, start: number): string[] {
  const word = /([a-z]{3,14})[ \t]$/i.exec(text.slice(Math.max(0, start - 15), start))?.[1];
  return word === undefined ? [] : [word.toLowerCase()];
}
