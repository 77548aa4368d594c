import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { isMessage, UNANSWERED } from '../../core/model/l1.ts';
import type { Part } from '../../core/model/version.ts';
import { type PlacedLine, readLinesOf } from '../find/read-lines-of.ts';
import { sync } from '../sync/sync.ts';
import { linesOfPart, nextPart } from './parts.ts';
import { openSource } from './session-source.ts';

const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };

type Happening = 'ask' | 'say' | 'call' | 'result' | 'queue' | 'aside' | 'interrupt' | 'compact';
const happening = fc.constantFrom<Happening>(
  ...(['ask', 'say', 'call', 'result', 'queue', 'aside', 'interrupt', 'compact'] as const),
);
type Step = { lines: Happening[]; minutesAgo: number; take: 'no' | 'yes' | 'force' };
/** What is written in one go, how long before the next look, and whether a part is made then. */
const step: fc.Arbitrary<Step> = fc.record({
  lines: fc.array(happening, { maxLength: 5 }),
  minutesAgo: fc.constantFrom(0, 6),
  take: fc.constantFrom<Step['take']>('no', 'yes', 'force'),
});

class Writer {
  readonly #open: string[] = [];
  #number = 0;

  line(what: Happening): string {
    const n = ++this.#number;
    const user = (content: unknown, rest: object = {}) =>
      this.#line({ type: 'user', message: { role: 'user', content }, ...rest });
    const agent = (content: object) =>
      this.#line({ type: 'assistant', message: { id: `m${n}`, role: 'assistant', content: [content] } });
    switch (what) {
      case 'ask':
        return user(`What is number ${n}?`);
      case 'say':
        return agent({ type: 'text', text: `It is the number ${n}.` });
      case 'call':
        this.#open.push(`t${n}`);
        return agent({ type: 'tool_use', id: `t${n}`, name: 'Bash', input: { command: `count ${n}` } });
      case 'result': {
        const id = this.#open.shift() ?? 'nobody';
        return user([{ type: 'tool_result', tool_use_id: id, content: `counted ${n}` }]);
      }
      case 'queue':
        return this.#line({ type: 'queue-operation', operation: 'enqueue', content: `And number ${n}?` });
      case 'aside':
        return user(`<command-name>/cost</command-name>`);
      case 'interrupt':
        return user([{ type: 'text', text: '[Request interrupted by user]' }]);
      case 'compact':
        return this.#line({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' });
    }
  }

  #line(rest: object): string {
    const timestamp = new Date(Date.UTC(2026, 0, 6) + 1000 * this.#number).toISOString();
    const base = { cwd: '/srv/shop', sessionId: 'one', isSidechain: false, timestamp };
    return `${JSON.stringify({ ...base, uuid: `u${this.#number}`, ...rest })}\n`;
  }
}

test('any session, cut anywhere, in any number of steps: the parts have every message once', async () => {
  const run = async (steps: Step[]) => {
    const world = makeWorld();
    try {
      await cut(world, steps);
    } finally {
      await world.remove();
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), run), { numRuns: 60 });
});

async function cut(world: TestWorld, steps: Step[]): Promise<void> {
  const writer = new Writer();
  const file = join(world.projects, '-srv-shop', 'one.jsonl');
  mkdirSync(join(world.projects, '-srv-shop'), { recursive: true });
  writeFileSync(file, writer.line('ask'));
  const parts: Part[] = [];
  for (const { lines, minutesAgo, take } of [...steps, { lines: [], minutesAgo: 6, take: 'yes' as const }]) {
    appendFileSync(file, lines.map((what) => writer.line(what)).join(''));
    const at = world.clock.millis() / 1000 - 60 * minutesAgo;
    utimesSync(file, at, at);
    await sync(world);
    if (take === 'no') continue;
    const source = { ...(await openSource(world, ref)), parts: [...parts] };
    const { part, waiting } = await nextPart(world, source, { force: take === 'force' });
    if (waiting) expect({ minutesAgo, take }).toEqual({ minutesAgo: 0, take: 'yes' });
    if (part) parts.push({ ...part, createdAt: '' });
  }
  const source = { ...(await openSource(world, ref)), parts };
  const { l1, facts, offset } = source.state;
  const all = await readLinesOf(world, ref, { file: l1.file, bytes: [0, l1.bytes], first: 1 });
  const held = await Promise.all(parts.map((part) => linesOfPart(world, source, part)));
  const words = (lines: PlacedLine[]) => lines.filter(isMessage).map(({ line }) => line.src);
  expect(words(held.flat())).toEqual(words(all));
  // One after the other, in bytes and in messages, to the end.
  expect(parts.map(({ bytes }) => bytes[0])).toEqual([0, ...parts.slice(0, -1).map(({ bytes }) => bytes[1])]);
  expect(
    parts.at(-1)!.bytes[1] === offset || all.every(({ line }) => line.src < parts.at(-1)!.bytes[1]),
  ).toBe(true);
  expect(parts.map(({ messages }) => messages[0])).toEqual([
    1,
    ...parts.slice(0, -1).map(({ messages }) => messages[1] + 1),
  ]);
  expect(parts.at(-1)!.messages[1]).toBe(facts.counts.human + facts.counts.assistant);
  // A call is there once without an answer at most, and once with it.
  const calls = held
    .flat()
    .flatMap(({ line }) => (line.role === 'tool' ? [`${line.src} ${line.result === UNANSWERED}`] : []));
  expect(calls).toEqual([...new Set(calls)]);
  expect(new Set(calls.map((call) => call.split(' ')[0])).size).toBe(facts.counts.toolCalls);
}
