import { expect, test } from 'vitest';
import { identityOf, longestScope } from './identity-of.ts';

const facts = {
  configured: ' my shop ',
  origin: 'git@github.com:acme/shop.git',
  stated: 'https://github.com/other/shop',
  root: 'a'.repeat(40),
};

test('the first fact that says who it is counts', () => {
  expect(identityOf(facts)).toEqual({ identity: 'my shop', from: 'config' });
  expect(identityOf({ ...facts, configured: ' ' })).toEqual({
    identity: 'github.com/acme/shop',
    from: 'origin',
  });
  expect(identityOf({ stated: facts.stated, root: facts.root })).toEqual({
    identity: 'github.com/other/shop',
    from: 'session',
  });
  expect(identityOf({ stated: 'https://github.com/..git', root: facts.root })).toEqual({
    identity: `root:${facts.root}`,
    from: 'root',
  });
  expect(identityOf({ stated: 'https://github.com/..git' })).toEqual({});
});

test('an address that is configured is normalized, and a scope is a part of it', () => {
  expect(identityOf({ configured: 'https://github.com/Acme/Mono.git', scope: 'packages/api' })).toEqual({
    identity: 'github.com/acme/mono#packages/api',
    from: 'config',
  });
});

test('the longest scope that holds the folder', () => {
  const scopes = ['packages/', './packages/api', 'packages/api/v2'];
  expect(longestScope(scopes, 'packages/api/src')).toBe('packages/api');
  expect(longestScope(scopes, 'packages/apis')).toBe('packages');
  expect(longestScope(scopes, 'packages\\api\\v2')).toBe('packages/api/v2');
  expect(longestScope(scopes, 'docs')).toBeUndefined();
  expect(longestScope(['', '/'], '')).toBeUndefined();
});
