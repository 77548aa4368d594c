import { describe, expect, it } from 'vitest';
import { isSameConcept } from './same-concept.ts';

const concept = (name: string, ...files: string[]) => ({ name, files });

describe('concepts of two folders', () => {
  it.each([
    [concept('Token cache'), concept('token cache')],
    [concept('Token caches'), concept('Cache of tokens')],
    [concept('Token cache', 'a.ts', 'b.ts'), concept('Cache and eviction', 'b.ts', 'a.ts', 'c.ts')],
    [concept('令牌'), concept('令牌')],
  ])('are one: %j %j', (a, b) => {
    expect([isSameConcept(a, b), isSameConcept(b, a)]).toEqual([true, true]);
  });

  it.each([
    [concept('Token cache'), concept('Heron table')],
    [concept('Token cache', 'a.ts'), concept('Cache and eviction', 'a.ts')],
    [concept('Token cache', 'a.ts', 'b.ts'), concept('Heron table', 'a.ts', 'b.ts')],
  ])('stay two: %j %j', (a, b) => {
    expect([isSameConcept(a, b), isSameConcept(b, a)]).toEqual([false, false]);
  });
});
