import { findAssignment } from './redact-assignment.ts';
import { findAuthorization, findCookies } from './redact-header.ts';
import { findPrivateKey } from './redact-private-key.ts';
import { anyCase, type Rule } from './redact-span.ts';
import { isPlaceholder } from './secret-shape.ts';

/** A token starts here: not inside a word, but an escaped line break before it is one letter of a word. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

/** The match is the secret, less what its first group holds. Bounded quantifiers bound the cost of a look. */
function token(kind: string, anchors: string[], pattern: string, back = 0): Rule {
  const regex = new RegExp(pattern, 'y');
  return {
    anchors,
    find(text, at) {
      if (at < back) return [];
      regex.lastIndex = at - back;
      const match = regex.exec(text);
      if (!match) return [];
      return [{ start: match.index + (match[1]?.length ?? 0), end: regex.lastIndex, kind }];
    },
  };
}

/** A number and its key stand on both sides of the anchor. */
const TELEGRAM_KEY = /:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/y;
const telegram: Rule = {
  anchors: [':AA[A-Za-z0-9_-]'],
  find(text, at) {
    TELEGRAM_KEY.lastIndex = at;
    if (!TELEGRAM_KEY.test(text)) return [];
    const number = /(?:^|[^\d])(\d{8,10})$/.exec(text.slice(Math.max(0, at - 11), at))?.[1];
    return number ? [{ start: at - number.length, end: TELEGRAM_KEY.lastIndex, kind: 'telegram' }] : [];
  },
};

/** The id is public, the forty characters near it are not. A hash of forty hex digits is no key. */
const AWS_ID = /(?:(?<![A-Za-z0-9+/=_])|(?<=\\[nrt]))A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9+/=])/y;
const AWS_SECRET =
  /(?<![A-Za-z0-9+/])(?=[A-Za-z0-9+/]{0,39}[A-Z])(?=[A-Za-z0-9+/]{0,39}[g-z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/;
const aws: Rule = {
  anchors: ['A[KS]IA'],
  find(text, at) {
    AWS_ID.lastIndex = at;
    if (!AWS_ID.test(text)) return [];
    const end = AWS_ID.lastIndex;
    const id = { start: at, end, kind: 'aws-key-id' };
    const near = AWS_SECRET.exec(text.slice(end, end + 200));
    if (!near) return [id];
    return [id, { start: end + near.index, end: end + near.index + 40, kind: 'aws-secret' }];
  },
};

/** scheme://user:password@host keeps everything but the password. */
const URL_PASSWORD = /:\/\/[^\s/:@"'`<>\\?#[\]]{0,100}:([^\s/@"'`<>\\]{1,200})@(?=[\w.[-])/y;
const urlPassword: Rule = {
  anchors: [':[/]/[A-Za-z0-9:_.%~+-]'],
  find(text, at) {
    URL_PASSWORD.lastIndex = at;
    const password = URL_PASSWORD.exec(text)?.[1];
    if (password === undefined || isPlaceholder(password)) return [];
    const end = URL_PASSWORD.lastIndex - 1;
    return [{ start: end - password.length, end, kind: 'url-password' }];
  },
};

/** The order decides where two rules look at one place. */
export const RULES: readonly Rule[] = [
  token('anthropic', ['sk-a'], `${START}sk-ant-[A-Za-z0-9_-]{16,255}`),
  token(
    'openai',
    ['sk-[A-Za-z0-9]'],
    `${START}sk-(?:(?:proj|svcacct|admin|or-v1|None)-[A-Za-z0-9_-]{20,255}|(?=[A-Za-z0-9]{0,40}[0-9])[A-Za-z0-9]{20,128}(?![A-Za-z0-9_-]))`,
  ),
  token('github', ['gh[pousr]_'], `gh[pousr]_[A-Za-z0-9]{30,255}`),
  token('github', ['b_pa'], 'github_pat_[A-Za-z0-9_]{22,255}', 5),
  token(
    'gitlab',
    ['glpa', 'gldt', 'glrt', 'glcb', 'glpt'],
    `${START}gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_.-]{20,255}`,
  ),
  aws,
  token('google', ['AIza'], `${START}AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`),
  token(
    'google-oauth',
    ['ya29', 'GOCS'],
    `${START}(?:ya29\\.[A-Za-z0-9_-]{20,1024}|GOCSPX-[A-Za-z0-9_-]{20,64})`,
  ),
  token('slack', ['xox[abeprs]', 'xapp'], `${START}(?:xox[abeprs](?:\\.xox[bp])?|xapp)-[A-Za-z0-9-]{10,255}`),
  token(
    'webhook',
    ['.sla'],
    String.raw`(\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9_/+-]{20,255}`,
  ),
  token(
    'webhook',
    ['/web'],
    String.raw`(?<=discord(?:app)?\.com/api)(/webhooks/\d{10,25}/)[A-Za-z0-9_-]{40,100}`,
  ),
  token(
    'stripe',
    ['[sr]k_[lt]', 'whse'],
    `${START}(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{24,255})`,
  ),
  token('npm', ['npm_'], `${START}npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])`),
  token('pypi', ['pypi'], `${START}pypi-[A-Za-z0-9_-]{50,1024}`),
  token('huggingface', ['hf_[A-Za-z0-9]'], `${START}hf_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])`),
  token('sendgrid', ['SG.[A-Za-z0-9_-]'], `${START}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,64}`),
  token('twilio', ['[^A-Z]SK[0-9a-f]'], `${START}SK[0-9a-f]{32}(?![A-Za-z0-9_-])`, -1),
  token('digitalocean', ['do[opr]_'], `${START}do[opr]_v1_[a-f0-9]{64}`),
  token(
    'discord',
    ['[MNO][DTjz][AEIMQUYcgk][wxyz0-5]'],
    `${START}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])`,
  ),
  telegram,
  token(
    'jwt',
    ['eyJ[A-Za-z0-9]'],
    `${START}eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,8000}(?:\\.[A-Za-z0-9_-]{0,4000}){1,3}`,
  ),
  { anchors: ['-BEG'], find: findPrivateKey },
  urlPassword,
  { anchors: ['oriz', 'bear'].map(anyCase), find: findAuthorization },
  { anchors: ['ooki'].map(anyCase), find: findCookies },
  {
    anchors: [
      'pass',
      'pwd[^a-z]',
      'secr',
      'toke',
      'apik',
      'api[_-]',
      'cred',
      '[a-zA-Z]key',
      '[a-zA-Z][_-]ke',
    ].map(anyCase),
    find: findAssignment,
  },
];
