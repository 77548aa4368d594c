import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HUB_RIGHTS, HUB_ROLES, highestRole, isHubRole, mayDo, rankOf } from './hub-role.ts';

test('a higher role may do all that a lower one may, and no role may do nothing', () => {
  for (const right of HUB_RIGHTS) {
    expect(mayDo(undefined, right)).toBe(false);
    expect(mayDo('admin', right)).toBe(true);
    for (const [at, role] of HUB_ROLES.entries())
      if (mayDo(role, right))
        for (const higher of HUB_ROLES.slice(at)) expect(mayDo(higher, right)).toBe(true);
  }
});

test('each role may do more than the one before it', () => {
  const rights = (role: (typeof HUB_ROLES)[number]) => HUB_RIGHTS.filter((right) => mayDo(role, right));
  for (const [at, role] of HUB_ROLES.entries())
    if (at > 0) expect(rights(role).length).toBeGreaterThan(rights(HUB_ROLES[at - 1]!).length);
  expect(rights('reader')).toEqual(['read']);
});

test('of several roles the highest counts, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...HUB_ROLES)), (roles) => {
      const highest = highestRole(roles);
      expect(highest === undefined).toBe(roles.length === 0);
      for (const role of roles) expect(rankOf(highest)).toBeGreaterThanOrEqual(rankOf(role));
      expect(highestRole(roles.toReversed())).toBe(highest);
    }),
  );
});

test('nothing but the four words is a role', () => {
  fc.assert(fc.property(fc.string(), (text) => isHubRole(text) === HUB_ROLES.some((role) => role === text)));
});
