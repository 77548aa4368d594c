import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldLine } from '../../src/app/intake/fold-session.ts';
import { newSessionState } from '../../src/app/intake/new-session-state.ts';
import type { SessionState } from '../../src/app/intake/session-state.ts';
import { type L1Line, saidText } from '../../src/core/model/l1.ts';
import { identify } from '../../src/core/transcript/identify.ts';
import { type Agent, readLine } from '../../src/core/transcript/read-line.ts';
import { SeenIds } from '../../src/core/transcript/seen-ids.ts';
import { WRITERS } from '../made/agent-sessions.ts';
import { type Happening, happenings } from '../made/happening.ts';

/** The L1 of a session; `stored` after every line as it is between two runs of the program. */
function refined(agent: Agent, lines: Buffer[], stored = false): L1Line[] {
  let state: SessionState = newSessionState(agent);
  let seen = new SeenIds();
  let [at, text, ids] = [0, '', Buffer.alloc(0)];
  for (const line of lines) {
    text += foldLine({ state, seen, sessionId: 'made', extent: 'paragraph' }, line, at, false);
    at += line.length + 1;
    if (!stored) continue;
    ids = Buffer.concat([ids, seen.fresh()]);
    seen = new SeenIds(ids);
    state = JSON.parse(JSON.stringify(state)) as SessionState;
  }
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as L1Line]));
}

/** What formats do not hold: what came of a call, ids by which a line is known again, spaces around words. */
const NO_OUTCOME = new Set<Agent>(['cursor', 'specstory', 'claude-export', 'aider']);
const NO_IDS = new Set<Agent>(['codex', 'cursor', 'specstory', 'claude-export', 'grok', 'aider']);
/** Only the place of a file says whose session it is. */
const UNNAMED = new Set<Agent>(['cursor', 'kimi', 'grok', 'antigravity']);
const TEXT_ONLY = new Set<Agent>([
  'specstory',
  'claude-export',
  'cursor',
  'cline',
  'roo',
  'aider',
  'antigravity',
]);

/** As it can be said in a format of plain text. */
function sayable(agent: Agent, list: Happening[]): Happening[] {
  if (!TEXT_ONLY.has(agent)) return list;
  return list.map((one) =>
    one.kind === 'run'
      ? { ...one, command: `run ${one.command.trim()}` }
      : { ...one, text: `say ${one.text.trim()}` },
  );
}

const bytesOf = (lines: object[]) => lines.map((line) => Buffer.from(JSON.stringify(line)));

it("Cline's command names its folder only in the system prompt", () => {
  const known = bytesOf(WRITERS.cline([{ kind: 'ask', text: 'begin' }])).reduce(identify, { done: false });
  expect(known.cwd).toBe('/srv/my shop');
});

describe.each(Object.entries(WRITERS))('sessions of %s', (name, write) => {
  const agent = name as Agent;

  it('are recognized by their first lines', () => {
    const lines = bytesOf(write([{ kind: 'ask', text: 'begin' }]));
    const known = lines.reduce(identify, { done: false });
    expect([known.agent, known.sessionId?.replace(/^.*made$|^aider_.*/, 'made')]).toEqual([
      agent,
      UNNAMED.has(agent) ? undefined : 'made',
    ]);
  });

  it('have every message once, in order, and each call in one line with its error', () => {
    fc.assert(
      fc.property(happenings, (any) => {
        const list = sayable(agent, any);
        // A line about another one says whether that was typed: it is no message.
        const messages = refined(agent, bytesOf(write(list))).filter(({ name }) => name !== 'untyped');
        const all = messages.map((line) => {
          const { role, name, target, result } = line;
          return role === 'tool' ? [name, target, result === undefined] : [role, saidText(line).trim()];
        });
        // A console without a prompt and an answer is none: the writer adds them.
        const shown = agent === 'claude-export' ? all.slice(1, -1) : all;
        const clip = (command: string) => command.trim();
        expect(shown).toEqual(
          list.map((one) => {
            if (one.kind === 'run') return ['Bash', clip(one.command), NO_OUTCOME.has(agent) || !one.fails];
            return [one.kind === 'ask' ? 'user' : 'assistant', one.text.trim()];
          }),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('give the same lines however many steps they are read in', () => {
    fc.assert(
      fc.property(happenings, (list) => {
        const lines = bytesOf(write(list));
        expect(refined(agent, lines, true)).toEqual(refined(agent, lines));
      }),
      { numRuns: 30 },
    );
  });

  it('have nothing twice when lines are repeated', () => {
    fc.assert(
      fc.property(happenings, (list) => {
        const lines = bytesOf(write(list));
        const asked = (refinedLines: L1Line[]) => refinedLines.filter((line) => line.role === 'user').length;
        if (!NO_IDS.has(agent))
          expect(asked(refined(agent, [...lines, ...lines]))).toBe(asked(refined(agent, lines)));
      }),
      { numRuns: 20 },
    );
  });

  it('survive any bytes, and any values in their lines', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.boolean(), (bytes, last) => {
        const { objects, bad, skipped } = readLine(agent, Buffer.from(bytes), 0, last);
        expect(bad || objects.length > 0 || skipped !== undefined).toBe(true);
      }),
      { numRuns: 150 },
    );
    fc.assert(
      fc.property(happenings, fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(), (list, json, which, key) => {
        const lines = write(list);
        const broken = withValue(lines[which % lines.length]!, JSON.parse(json), key);
        const all = bytesOf([...lines, broken]);
        const asks = (refinedLines: L1Line[]) => refinedLines.filter((line) => line.role === 'user').length;
        expect(asks(refined(agent, all))).toBeGreaterThanOrEqual(asks(refined(agent, bytesOf(lines))));
        for (const { entries } of readLine(agent, all.at(-1)!, 0, true).objects) {
          for (const { id, ts } of entries) expect([typeof id, typeof ts]).toEqual(['string', 'string']);
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** The object with another value in one of its places, at any depth. */
function withValue(object: object, value: unknown, key: number): object {
  const keys = Object.keys(object);
  const name = keys[key % keys.length];
  if (name === undefined) return object;
  const inner = (object as Record<string, unknown>)[name];
  const goDeeper =
    typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0 && key % 3 > 0;
  const fresh = goDeeper ? withValue(inner, value, Math.floor(key / 3)) : value;
  return Array.isArray(object)
    ? object.map((it, index) => (String(index) === name ? fresh : it))
    : { ...object, [name]: fresh };
}
