import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { madeSession } from '../../../test/made/transcript.ts';
import { messageIdOf } from './message-id.ts';
import { readLine } from './read-line.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/claude-code');
/** As `readLine` tells it; undefined for a line without entries. */
const idByReading = (line: Buffer) => readLine('claude-code', line, 0, false).objects[0]?.entries[0]?.id;

/** Where it tells an id at all, it must be the one that reading the line tells. */
function expectSame(line: Buffer): boolean {
  const id = messageIdOf(line);
  const read = idByReading(line);
  if (id === undefined || read === undefined) return false;
  expect(id).toBe(read);
  return true;
}

it('equals the result of reading the line, in every fixture', () => {
  const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const lines = files.flatMap((name) => readFileSync(join(FIXTURES, name), 'utf8').split('\n'));
  expect(lines.filter((line) => expectSame(Buffer.from(line))).length).toBeGreaterThan(50);
});

it('equals the result of reading the line, in any session', () => {
  fc.assert(
    fc.property(madeSession, (lines) => {
      for (const { text } of lines) expectSame(Buffer.from(text));
    }),
    { numRuns: 200 },
  );
});

it('leaves lines of other kinds, damaged lines and two in one to reading', () => {
  const user = '{"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}';
  expect(messageIdOf(Buffer.from(user))).toBe('u1');
  for (const text of [
    user.slice(0, -5),
    user + user,
    user.replace('"user"', '"progress"'),
    user.replace('"u1"', '7'),
    '[]',
  ])
    expect(messageIdOf(Buffer.from(text))).toBeUndefined();
});
