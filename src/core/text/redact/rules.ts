import { findAssignment } from './assignment.ts';
import { findAuthorization, findCookies } from './header.ts';
import { findAwsKeys, findCurlUser, findTelegramToken, findUrlPassword } from './pairs.ts';
import { findPrivateKey } from './private-key.ts';
import { anyCase, type RedactRule, START } from './secret-span.ts';
import { findVendorToken, VENDOR_ANCHORS } from './vendors.ts';

/** The one character before such a start, for anchors that are short. */
const FREE = '[^A-Za-mo-qsu-z0-9_-]';
/** And it ends here. */
const END = '(?![A-Za-z0-9_-])';

/** The match is the secret, less what its first group holds. Bounded quantifiers bound the cost of a look. */
function token(kind: string, anchors: readonly string[], pattern: string, offset = 0): RedactRule {
  const regex = new RegExp(pattern, 'y');
  return {
    anchors,
    find(text, at) {
      if (at + offset < 0) return [];
      regex.lastIndex = at + offset;
      const match = regex.exec(text);
      if (!match) return [];
      return [{ start: match.index + (match[1]?.length ?? 0), end: regex.lastIndex, kind }];
    },
  };
}

const OPENAI_NEW = '(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,255}';
const OPENAI_OLD = `(?=[A-Za-z]{0,64}[0-9])[A-Za-z0-9]{20,128}${END}`;

/** The order decides where two rules look at one place. At most 32: each is one bit of the scan. */
export const RULES: readonly RedactRule[] = [
  token('anthropic', [`${FREE}sk-`], `${START}sk-ant-[A-Za-z0-9_-]{16,255}`, 1),
  token('openai', [`${FREE}sk-`], `${START}sk-(?:${OPENAI_NEW}|${OPENAI_OLD})`, 1),
  token('github', ['gh[pousr]_'], 'gh[pousr]_[A-Za-z0-9]{30,255}'),
  token('github', ['b_pa'], 'github_pat_[A-Za-z0-9_]{22,255}', -5),
  token(
    'gitlab',
    ['gl[p][at]', 'gldt', 'glrt', 'glcb'],
    `${START}gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_.-]{20,255}`,
  ),
  { anchors: ['A[KS]IA'], find: findAwsKeys },
  token('google', ['AIza'], `${START}AIza[A-Za-z0-9_-]{35}${END}`),
  token(
    'google-oauth',
    ['ya29', 'GOCS', '1//0'],
    `${START}(?:ya29\\.[A-Za-z0-9_-]{20,1024}|GOCSPX-[A-Za-z0-9_-]{20,64}|1//0[A-Za-z0-9_-]{40,200})`,
  ),
  token('slack', ['xox[abeprs]', 'xapp'], `${START}(?:xox[abeprs](?:\\.xox[bp])?|xapp)-[A-Za-z0-9-]{10,255}`),
  token('webhook', ['k.co'], '(\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9_/+-]{20,255}', -5),
  token('webhook', ['/web'], '(?<=discord(?:app)?\\.com/api)(/webhooks/\\d{10,25}/)[A-Za-z0-9_-]{40,100}'),
  token('stripe', ['[sr]k_[lt]'], `${START}[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}`),
  token('npm', ['npm_'], `${START}npm_[A-Za-z0-9]{36}${END}`),
  token('pypi', ['pypi'], `${START}pypi-[A-Za-z0-9_-]{50,1024}`),
  token('huggingface', [`${FREE}hf_`], `${START}hf_[A-Za-z0-9]{30,64}${END}`, 1),
  token('sendgrid', [`${FREE}SG.`], `${START}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,64}`, 1),
  token('twilio', [`${FREE}SK[0-9a-f]`], `${START}SK[0-9a-f]{32}${END}`, 1),
  token('digitalocean', ['_v1_'], `${START}do[opr]_v1_[a-f0-9]{64}`, -3),
  // The first part is a number in base64, hence the narrow classes.
  token(
    'discord',
    ['[MNO][DTjz][AEIMQUYcgk][wxyz0-5]'],
    `${START}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,45}${END}`,
  ),
  { anchors: ['[0-9]:AA'], find: findTelegramToken },
  token(
    'jwt',
    [`${FREE}eyJ`],
    `${START}eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,8000}(?:\\.[A-Za-z0-9_-]{0,4000}){1,3}`,
    1,
  ),
  { anchors: VENDOR_ANCHORS, find: findVendorToken },
  { anchors: ['-BEG'], find: findPrivateKey },
  { anchors: ['[A-Za-z0-9]://'], find: findUrlPassword, byName: true },
  { anchors: ['curl'], find: findCurlUser, byName: true },
  { anchors: ['riza'].map(anyCase), find: findAuthorization, byName: true },
  { anchors: ['bear'].map(anyCase), find: findAuthorization, byName: true },
  { anchors: ['ooki'].map(anyCase), find: findCookies, byName: true },
  // One find, several bits: the halves of anchors of one bit are mixed up by the scan.
  { anchors: ['pass', '[\\s\\S]pwd'].map(anyCase), find: findAssignment, byName: true },
  { anchors: ['secr'].map(anyCase), find: findAssignment, byName: true },
  { anchors: ['toke'].map(anyCase), find: findAssignment, byName: true },
  {
    anchors: ['apik', 'api[_-]', '[a-zA-Z]key', '[a-zA-Z][_-]ke', '_aut'].map(anyCase),
    find: findAssignment,
    byName: true,
  },
];
