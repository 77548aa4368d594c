import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from './fault.ts';
import { projectIdSchema, sessionIdSchema } from './id-schemas.ts';
import {
  isProjectId,
  isSessionId,
  isUuid,
  sanitizePath,
  secondProjectId,
  secondSessionId,
  sessionIdFromName,
  shortHash,
  toProjectId,
  toSessionId,
} from './ids.ts';
import { overlayIdOf } from './overlay-id.ts';
import { isSecondStream, secondStreamId, streamBase } from './stream-id.ts';

const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('漢', '字', 'é', 'a', '-', '.', '😀', ' '), maxLength: 300 }),
);

describe('session ids', () => {
  it('are made from any name, and fit into a file name', () => {
    fc.assert(
      fc.property(name, name, (stem, path) => {
        const id = sessionIdFromName(stem);
        for (const made of [id, secondSessionId(id, path)]) {
          expect(isSessionId(made)).toBe(true);
          expect(Buffer.byteLength(made)).toBeLessThanOrEqual(120);
        }
      }),
    );
  });

  it('keep long names apart that differ only at their end', () => {
    const long = '漢'.repeat(75);
    expect(sessionIdFromName(long)).toMatch(/^漢{37}-[0-9a-f]{6}$/);
    expect(sessionIdFromName(`${long}1`)).not.toBe(sessionIdFromName(`${long}2`));
  });

  it('are bounded in bytes, not in characters', () => {
    expect(isSessionId('a'.repeat(120))).toBe(true);
    expect(isSessionId('a'.repeat(121))).toBe(false);
    expect(isSessionId('漢'.repeat(40))).toBe(true);
    expect(isSessionId('漢'.repeat(41))).toBe(false);
  });
});

describe('a session id', () => {
  it.each(['a', '_x', 'b2c1-4', 'a.b~c@d+e_f-g', '漢字', 'é1', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'])(
    'may be %s',
    (id) => {
      expect(isSessionId(id)).toBe(true);
      expect(toSessionId(id)).toBe(id);
      expect(sessionIdSchema.parse(id)).toBe(id);
      expect(sessionIdFromName(id)).toBe(id);
    },
  );

  it.each([
    '',
    '.',
    '..',
    '.hidden',
    '-x',
    'a/b',
    'a b',
    ' a',
    'a\n',
    '/a',
    '漢/字',
    '/漢',
    '漢 ',
    '__proto__',
    '__PROTO__',
    'constructor',
    'Constructor',
    'prototype',
  ])('is never %j', (id) => {
    expect(isSessionId(id)).toBe(false);
    expect(() => toSessionId(id)).toThrow(/ is not a session id\.$/);
    expect(() => sessionIdSchema.parse(id)).toThrow(/not a session id/);
    expect(sessionIdFromName(id)).not.toBe(id);
    expect(isSessionId(sessionIdFromName(id))).toBe(true);
  });

  it('is made from a name by a dash for all that it cannot hold, and a hash of the name', () => {
    expect(sessionIdFromName('  my chat: one')).toBe('my-chat-one-5f798a');
    expect(sessionIdFromName('???')).toMatch(/^session-[0-9a-f]{6}$/);
    expect(sessionIdFromName('__proto__')).toMatch(/^__proto__-[0-9a-f]{6}$/);
    expect(sessionIdFromName('a -b')).toMatch(/^a--b-/);
    expect(secondSessionId(toSessionId('s1'), '/a/b')).toMatch(/^s1-[0-9a-f]{6}$/);
    expect(secondSessionId(toSessionId('s1'), '/a/b')).not.toBe(secondSessionId(toSessionId('s1'), '/a/c'));
  });

  it('uses all the room that it has', () => {
    const second = secondSessionId(toSessionId('a'.repeat(120)), '/a');
    expect(second).toMatch(/^a{113}-[0-9a-f]{6}$/);
  });

  it('that is refused is named in part, with what to do', () => {
    const refused = (text: string) => {
      try {
        return toSessionId(text);
      } catch (error) {
        return error as Fault;
      }
    };
    const long = `/${'x'.repeat(60)}`;
    expect(refused(long)).toMatchObject({
      code: 'usage',
      message: `"/${'x'.repeat(59)}…" is not a session id.`,
      hint: expect.stringContaining('keepsake sessions'),
    });
    expect(refused(long.slice(0, 60))).toMatchObject({
      message: `"/${'x'.repeat(59)}" is not a session id.`,
    });
  });
});

describe('a project id', () => {
  it.each(['-srv-shop', 'a', 'C--work~12ab', 'a'.repeat(240)])('may be %s', (id) => {
    expect(isProjectId(id)).toBe(true);
    expect(toProjectId(id)).toBe(id);
    expect(projectIdSchema.parse(id)).toBe(id);
  });

  it.each(['', '..', '__proto__', 'a/b', '/a', 'a\n', 'a.b', 'a'.repeat(241)])('is never %j', (id) => {
    expect(isProjectId(id)).toBe(false);
    expect(() => toProjectId(id)).toThrow(/ is not a project id\.$/);
    expect(() => projectIdSchema.parse(id)).toThrow(/not a project id/);
  });

  it('that is refused comes with the command that lists them', () => {
    expect(() => toProjectId('a/b')).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('keepsake projects') }),
    );
  });

  it('is a path with all but letters and digits as dashes, cut and with a hash where it is long', () => {
    expect(sanitizePath('/srv/my shop_2')).toBe('-srv-my-shop-2');
    expect(sanitizePath('')).toBe('-');
    expect(sanitizePath('a'.repeat(200))).toBe('a'.repeat(200));
    expect(sanitizePath('a'.repeat(201))).toMatch(/^a{200}-[0-9a-f]{8}$/);
    expect(sanitizePath(`${'a'.repeat(200)}b`)).not.toBe(sanitizePath(`${'a'.repeat(200)}c`));
    expect(secondProjectId('/srv/shop')).toMatch(/^-srv-shop~[0-9a-f]{6}$/);
    expect(secondProjectId('/srv/shop')).not.toBe(secondProjectId('/srv-shop'));
  });
});

describe('a hash', () => {
  it('is the beginning of SHA-256 in hex', () => {
    expect(shortHash('abc', 10)).toBe('ba7816bf8f');
  });
});

describe('a UUID', () => {
  const uuid = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
  it('has five groups of hex digits of their lengths and nothing else', () => {
    expect([uuid, uuid.toUpperCase()].map(isUuid)).toEqual([true, true]);
    const wrong = [`x${uuid}`, `${uuid}0`, uuid.replaceAll('-', ''), ''];
    for (let at = 0; at < uuid.length; at++) {
      wrong.push(uuid.slice(0, at) + uuid.slice(at + 1), `${uuid.slice(0, at)}g${uuid.slice(at + 1)}`);
    }
    expect(wrong.filter(isUuid)).toEqual([]);
  });
});

describe('the id of an overlay', () => {
  const overlay = { markerId: 'm', action: 'weight', weight: 0.5 };
  it('follows from the session, the time and what it changes', () => {
    const id = overlayIdOf('s', '2026-01-01', overlay);
    expect(id).toMatch(/^o_[0-9a-f]{16}$/);
    expect(overlayIdOf('s', '2026-01-01', { ...overlay, weight: 0.501 })).toBe(id);
    const others = [
      overlayIdOf('t', '2026-01-01', overlay),
      overlayIdOf('s', '2026-01-02', overlay),
      overlayIdOf('s', '2026-01-01', { ...overlay, markerId: 'n' }),
      overlayIdOf('s', '2026-01-01', { ...overlay, action: 'remove' }),
      overlayIdOf('s', '2026-01-01', { ...overlay, weight: 0.6 }),
      overlayIdOf('s', '2026-01-01', { markerId: 'm', action: 'weight' }),
    ];
    expect(new Set([id, ...others]).size).toBe(7);
  });

  it('stays what archives have stored', () => {
    expect(overlayIdOf('s', '2026-01-01', overlay)).toBe('o_8bd65b718ad416f2');
    expect(overlayIdOf('s', '2026-01-01', { markerId: 'm', action: 'remove' })).toBe('o_4a32a45baa096500');
  });
});

describe('a second stream of a session', () => {
  const device = '0123456789abcdef';
  const free = () => false;
  it('is called by the device it came from, and belongs to its session', () => {
    const id = secondStreamId(toSessionId('s1'), device, free);
    expect(id).toBe('s1@01234567');
    expect([isSecondStream(id), isSecondStream('s1')]).toEqual([true, false]);
    expect(streamBase(id)).toBe('s1');
    expect(['s1@0123456', 's1@0123456g', 's1@01234567x'].map(isSecondStream)).toEqual([false, false, false]);
    expect(secondStreamId(id, 'fedcba9876543210', free)).toBe('s1@fedcba98');
  });

  it('gets another name where that one is taken', () => {
    const taken = new Set(['s1@01234567']);
    const second = secondStreamId(toSessionId('s1'), device, (id) => taken.has(id));
    expect(second).toMatch(/^s1@[0-9a-f]{8}$/);
    taken.add(second);
    const third = secondStreamId(toSessionId('s1'), device, (id) => taken.has(id));
    expect(third).toMatch(/^s1@[0-9a-f]{8}$/);
    expect(new Set([...taken, third]).size).toBe(3);
    expect(second).not.toBe(secondStreamId(toSessionId('s1'), `${device}0`, (id) => id === 's1@01234567'));
  });

  it('fits into an id, and stays the session where a device has no usable name', () => {
    expect(secondStreamId(toSessionId('a'.repeat(120)), device, free)).toBe(`${'a'.repeat(100)}@01234567`);
    expect(secondStreamId(toSessionId('s1'), '//', free)).toBe('s1');
  });
});
