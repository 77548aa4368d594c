import { describe, expect, it } from 'vitest';
import { KnownSecrets } from './known-secrets.ts';

describe('the known secrets of a session', () => {
  it('are covered everywhere by as many characters, but where the redaction finds them itself', () => {
    const known = new KnownSecrets();
    expect(known.note('{"content":"export DB_PASSWORD=kX9vQ2zT7wLm\\n"}')).toEqual(['kX9vQ2zT7wLm']);
    expect(known.note('DB_PASSWORD=kX9vQ2zT7wLm')).toEqual([]);
    const entry = { text: 'use kX9vQ2zT7wLm here', input: { list: ['xkX9vQ2zT7wLmx'] }, n: 1 };
    expect(known.cover(entry)).toEqual({
      text: 'use [redacted]** here',
      input: { list: ['x[redacted]**x'] },
      n: 1,
    });
    expect(known.cover('DB_PASSWORD=kX9vQ2zT7wLm')).toBe('DB_PASSWORD=kX9vQ2zT7wLm');
  });

  it('are neither hosts nor short words', () => {
    const known = new KnownSecrets();
    expect(known.note("password = 'db2.host.org'; password: 'summer22'")).toEqual([]);
    expect(known.cover('db2.host.org in summer22')).toBe('db2.host.org in summer22');
  });

  it('hold the lines of a private key', () => {
    const known = new KnownSecrets();
    const line = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xL'.repeat(2);
    known.note(`-----BEGIN PRIVATE KEY-----\\n${line}\\nabc=\\n-----END PRIVATE KEY-----`);
    expect(known.cover(`2→${line}`)).toBe(`2→[redacted]${'*'.repeat(54)}`);
    expect(known.cover('BEGIN PRIVATE KEY and abc=')).toBe('BEGIN PRIVATE KEY and abc=');
  });
});
