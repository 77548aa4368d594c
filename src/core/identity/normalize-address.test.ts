import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeAddress } from './normalize-address.ts';

test('every spelling of an address is one', () => {
  const spellings = [
    'git@github.com:acme/shop.git',
    'github.com:acme/shop',
    'ssh://git@GitHub.com:22/acme/shop',
    'ssh://git@ssh.github.com:443/acme/shop.git',
    'https://github.com/acme/shop',
    'https://user:token@github.com/Acme/Shop.git/',
    'http://GITHUB.com:80//acme/shop.git',
    'git://github.com:9418/acme/shop.git',
    '  https://github.com/acme/shop.git?x=1#top  ',
  ];
  expect(new Set(spellings.map(normalizeAddress))).toEqual(new Set(['github.com/acme/shop']));
});

test.each([
  ['https://git.corp.example:8443/a/b.git', 'git.corp.example:8443/a/b'],
  ['https://git.corp.example/Team/App', 'git.corp.example/Team/App'],
  ['git@[2001:DB8::1]:a/b.git', '[2001:db8::1]/a/b'],
  ['me@host:/srv/git/app.git', 'host/srv/git/app'],
  ['ssh://host/~me/app', 'host/~me/app'],
  ['/srv/git/app.git', 'file:/srv/git/app'],
  ['file:///srv/git/app', 'file:/srv/git/app'],
  ['C:\\git\\app.git', 'file:C:/git/app'],
  ['https://gitlab.com/a/b/c.git', 'gitlab.com/a/b/c'],
  ['https://example.org/a%20b/c', 'example.org/a b/c'],
])('%s is %s', (address, expected) => {
  expect(normalizeAddress(address)).toBe(expected);
});

test.each([
  '',
  '   ',
  '.',
  '../shop.git',
  './shop',
  'shop',
  'https://github.com/..git',
  'https://github.com/acme',
  'https://github.com/',
  'https://example.org/a/../b',
  'codecommit::us-east-1://shop',
  'ftp://example.org/a/b',
  'https://exa\u0000mple.org/a/b',
  `https://example.org/${'a'.repeat(400)}`,
])('%j is no address', (address) => {
  expect(normalizeAddress(address)).toBeUndefined();
});

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
const host = fc.tuple(word, word).map(([a, b]) => `${a}.${b}`);
const path = fc.array(word, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('/'));
const secret = fc.stringMatching(/^[A-Z0-9]{12,20}$/);

test('user, password, scheme, standard port, ending and the case of the host do not count', () => {
  fc.assert(
    fc.property(host, path, secret, (host, path, secret) => {
      const spellings = [
        `https://${host}/${path}`,
        `https://me:${secret}@${host.toUpperCase()}/${path}.git`,
        `https://${secret}@${host}:443/${path}/`,
        `ssh://git@${host}:22/${path}.git/`,
        `git@${host}:${path}.git`,
        `${secret}@${host}:/${path}`,
        `git+ssh://${host}//${path}`,
      ].map(normalizeAddress);
      expect(new Set(spellings)).toEqual(new Set([`${host}/${path}`]));
    }),
  );
});

test('different hosts, ports and paths stay apart', () => {
  const place = fc.record({ host, path, port: fc.constantFrom('', ':8022', ':7999') });
  const written = ({ host, path, port }: { host: string; path: string; port: string }) =>
    `ssh://git@${host}${port}/${path}.git`;
  fc.assert(
    fc.property(place, place, (a, b) => {
      fc.pre(JSON.stringify(a) !== JSON.stringify(b));
      expect(normalizeAddress(written(a))).not.toBe(normalizeAddress(written(b)));
    }),
  );
});

test('any text: no throw, and a normalized address is its own', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (text) => {
      const once = normalizeAddress(text);
      if (once === undefined) return;
      const again = once.startsWith('file:') ? once : `https://${once}`;
      expect(normalizeAddress(again)).toBe(once);
    }),
  );
});
