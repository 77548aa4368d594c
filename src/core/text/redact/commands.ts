import { isHost, isPlaceholder, isRandom } from './secret-shape.ts';
import type { RedactRule, SecretSpan } from './secret-span.ts';
import { isStrong } from './strong-value.ts';

/** So far back a command may have begun. */
const LONGEST = 300;

/** The letter of a flag, the commands whose flag takes a secret, and how the secret is written after it. */
const FLAGS: readonly (readonly [letters: string, command: string, value: keyof typeof VALUES])[] = [
  ['p', 'mysql(?:dump|admin|import|sh|show|pump)?|mariadb(?:-dump|-admin)?|7z[ar]?', 'joined'],
  ['p', 'sshpass|rdesktop|mongo(?:sh|dump|restore|export|import|stat|top)?', 'either'],
  ['p', '(?:docker|podman|buildah|skopeo|oc|az|ibmcloud|helm registry)\\s{1,4}login|helm repo add', 'spaced'],
  ['P', 'sqlcmd|bcp|tsql|mosquitto_(?:pub|sub|rr)|unzip|zip|ipmitool|ssh-keygen|lftp', 'either'],
  ['a', 'redis-cli', 'either'],
  ['a', 'http|https|xh|xhs', 'user'],
  ['w', 'ldap(?:search|add|modify|delete|passwd|whoami)', 'either'],
  ['kK', 'openssl', 'spaced'],
  ['N', 'ssh-keygen', 'spaced'],
  ['uU', 'curl', 'user'],
  ['U', 'smbclient|smbmap|rpcclient', 'percent'],
  ['u', 'lftp', 'comma'],
  ['v', 'secrets?|secretsmanager|keyvault|vault|SecureString', 'spaced'],
  ['b', 'curl', 'cookie'],
  ['b', 'htpasswd', 'third'],
  ['b', 'gh secret set', 'spaced'],
  ['t', 'codecov(?:cli)?(?: [a-z-]{2,20}){0,3}', 'either'],
  ['AX', 'snmp[a-z]{2,10}', 'spaced'],
];

const QUOTE = `\\\\{0,7}["']?`;
const VALUE = `([^\\s"'\\\\|;&<>]{4,200})`;
/** A blank, an equals sign, or a line continuation. */
const BLANK = '(?:[=: ]|[ \\t]{1,8}|[ \\t]{0,4}\\\\+(?:n|\\r?\\n)[ \\t+→0-9]{0,20})';
const VALUES = {
  joined: new RegExp(QUOTE + VALUE, 'y'),
  either: new RegExp(`${BLANK}?${QUOTE}${VALUE}`, 'y'),
  spaced: new RegExp(BLANK + QUOTE + VALUE, 'y'),
  user: new RegExp(`${BLANK}?${QUOTE}[^\\s:"'\\\\]{1,100}:${VALUE}`, 'y'),
  percent: new RegExp(`${BLANK}?${QUOTE}[^\\s%"'\\\\]{1,100}%${VALUE}`, 'y'),
  comma: new RegExp(`${BLANK}?${QUOTE}[^\\s,"'\\\\]{1,100},${VALUE}`, 'y'),
  cookie: new RegExp(`${BLANK}?${QUOTE}[\\w.-]{1,60}=${VALUE}`, 'y'),
  third: new RegExp(`[A-Za-z]{0,4}[ \\t]{1,8}\\S{1,200}[ \\t]{1,8}\\S{1,80}[ \\t]{1,8}${QUOTE}${VALUE}`, 'y'),
};

/** Of any command these letters take a password, if the value can be nothing else. */
const ANY_COMMAND = /[pPwakt]/;

type Flag = { command: RegExp; value: RegExp };

const byLetter = new Map<string, Flag[]>();
for (const [letters, command, value] of FLAGS) {
  for (const letter of letters)
    byLetter.set(letter, [
      ...(byLetter.get(letter) ?? []),
      { command: new RegExp(`(?:^|[^\\w.]|\\\\[nrt])(?:${command})(?=[\\s\\\\]|$)`), value: VALUES[value] },
    ]);
}

/** `mysql -pX`, `docker login -p X`, `curl -u user:X`: the command is looked for before the flag. */
export const FLAG_RULE: RedactRule = {
  anchors: ['[\\s][-][abkKpPtuUwANX][\\s\\S]', '-use', '-bod', '-val'],
  byName: true,
  find(text, at) {
    // `--user`, `--body` and `--value` mean what their letters do.
    const long = text[at] === '-' ? text.slice(at + 1, at + 5) : '';
    const letter = long === '' ? (text[at + 2] ?? '') : long[0]!;
    const flags = byLetter.get(letter) ?? [];
    if (at < 0) return [];
    let head: string | undefined;
    for (const { command, value } of flags) {
      value.lastIndex = at + (long === '' ? 3 : long === 'valu' ? 6 : 5);
      const found = value.exec(text)?.[1];
      if (found === undefined || !isArgument(found)) continue;
      head ??= commandBefore(text, at);
      if (!command.test(head)) continue;
      return [{ start: value.lastIndex - found.length, end: value.lastIndex, kind: 'password' }];
    }
    if (long !== '' || !ANY_COMMAND.test(letter)) return [];
    VALUES.spaced.lastIndex = at + 3;
    const found = VALUES.spaced.exec(text)?.[1];
    if (found === undefined || !isStrong(found) || !isArgument(found)) return [];
    return [
      { start: VALUES.spaced.lastIndex - found.length, end: VALUES.spaced.lastIndex, kind: 'password' },
    ];
  },
};

function isArgument(value: string): boolean {
  return !isPlaceholder(value) && !isHost(value) && !/^[-/$]/.test(value);
}

/** What its line holds before a place, over lines that end in a backslash; a line break may be escaped. */
function commandBefore(text: string, at: number): string {
  const least = Math.max(0, at - LONGEST);
  let start = at;
  while (start > least && !isBreak(text, start - 1)) start--;
  return text.slice(start, at);
}

function isBreak(text: string, at: number): boolean {
  const sign = text[at];
  if (sign === '\n') return text[at - 1] !== '\\' && text.slice(at - 2, at) !== '\\\r';
  if (sign === 'n') return text[at - 1] === '\\' && text[at - 2] !== '\\';
  return sign === ';' || sign === '|' || sign === '&';
}

const SLASHED =
  /(?:\/p:|\/r?p[ \t]{1,4}(?=[^\s"']{0,60}\d|[A-Za-z]{12})|\/user:[^\s"']{1,80}[ \t]{1,4})["']?([^\s"'\\/]{4,200})/y;

/** `xfreerdp /p:X`, `net use ... /user:me X`. */
export function findSlashed(text: string, at: number): SecretSpan[] {
  SLASHED.lastIndex = at + 1;
  const value = SLASHED.exec(text)?.[1];
  if (
    value === undefined ||
    !isArgument(value) ||
    !(/\d/.test(value) || text[at + 1] !== 'p' || isRandom(value))
  )
    return [];
  return [{ start: SLASHED.lastIndex - value.length, end: SLASHED.lastIndex, kind: 'password' }];
}
