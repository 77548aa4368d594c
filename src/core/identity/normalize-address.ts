/** Forges on which two paths that differ only in case are one repository. */
const CASELESS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);
/** Other names of the same hosts: ssh through the port of https, and the name of the web site. */
const HOST_ALIASES = new Map([
  ['ssh.github.com', 'github.com'],
  ['www.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);
const STANDARD_PORTS = new Map([
  ['ssh', '22'],
  ['git+ssh', '22'],
  ['ssh+git', '22'],
  ['http', '80'],
  ['https', '443'],
  ['git', '9418'],
]);
const WITH_SCHEME =
  /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/]*@)?(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::(\d*))?(?:\/(.*))?$/i;
/** `user@host:path`; a single letter before the colon is a drive. */
const SCP = /^(?:[^@/\s]+@)?(\[[0-9a-f:.]+\]|[^:/@\s\\]{2,}):(?!:)(.+)$/i;
const LONGEST = 400;

/**
 * One spelling for all addresses of a repository: `github.com/acme/shop`; `file:/srv/shop` for a folder. Without user and
 * password, scheme, standard port, `.git` and slashes at the end. Undefined for what is no address.
 */
export function normalizeAddress(address: string): string | undefined {
  const text = address.trim();
  if (text === '' || text.length > LONGEST || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const folder = localFolder(text);
  if (folder !== undefined) return folder === '' ? undefined : `file:${folder}`;
  const url = WITH_SCHEME.exec(text);
  if (url) return joined(url[1]!.toLowerCase(), url[2]!, url[3] ?? '', url[4] ?? '');
  const scp = SCP.exec(text);
  return scp ? joined('ssh', scp[1]!, '', scp[2]!) : undefined;
}

/** The absolute path that a local address names; empty for a relative one. */
function localFolder(text: string): string | undefined {
  if (/^file:/i.test(text)) return plainFolder(text.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, ''));
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(text)) return plainFolder(text);
  return /^\.{0,2}$|^\.{1,2}[/\\]/.test(text) ? '' : undefined;
}

function plainFolder(path: string): string {
  if (!/^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)) return '';
  const plain = path.replaceAll('\\', '/');
  const parts = segmentsOf(plain);
  return parts === undefined ? '' : `${plain.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

function joined(scheme: string, host: string, port: string, path: string): string | undefined {
  if (!STANDARD_PORTS.has(scheme)) return undefined;
  const plain = host.toLowerCase().replace(/\.$/, '');
  const known = HOST_ALIASES.get(plain);
  const own = known !== undefined || port === '' || port === STANDARD_PORTS.get(scheme) ? '' : `:${port}`;
  const name = known ?? plain;
  const parts = segmentsOf(decoded(path).replace(/[?#].*$/, ''));
  if (parts === undefined || (CASELESS.has(name) && parts.length < 2)) return undefined;
  const where = parts.join('/');
  return `${name}${own}/${CASELESS.has(name) ? where.toLowerCase() : where}`;
}

/** Undefined where no name is left, or one that means another folder. */
function segmentsOf(path: string): string[] | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  while (parts.length > 0) {
    const last = parts.at(-1)!.replace(/(?:\.git)+$/i, '');
    if (last !== '') {
      parts[parts.length - 1] = last;
      break;
    }
    parts.pop();
  }
  return parts.length === 0 || parts.some((part) => part === '.' || part === '..') ? undefined : parts;
}

/** Only characters that mean nothing in an address: decoding twice must not change it. */
function decoded(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (written, code: string) => {
    const plain = String.fromCharCode(Number.parseInt(code, 16));
    return /[\w.~ -]/.test(plain) ? plain : written;
  });
}
