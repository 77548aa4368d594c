import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allSessions } from '../../src/app/find/sessions.ts';
import { foldLine } from '../../src/app/intake/fold-session.ts';
import { newSessionState } from '../../src/app/intake/new-session-state.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { Agent } from '../../src/core/model/agent.ts';
import { type Identity, identify } from '../../src/core/transcript/identify.ts';
import { SeenIds } from '../../src/core/transcript/seen-ids.ts';
import { MEMORY_WRITERS, WRITERS } from '../made/agent-sessions.ts';
import { MUTATED_SESSION } from '../made/mutated-file.ts';
import { makeWorld } from '../made/world.ts';

type Change = { key?: string; value?: string };

const TEXTS = MUTATED_SESSION.flatMap((one) => (one.kind === 'run' ? [] : [one.text]));
/** Keepsake's own, around the rows of documents and databases. */
const OWN = new Set(['staged', 'opencode', 'row', 'kind']);

/** The same with one name of a field, or one word that says a kind, as a newer version might call it. */
function newer(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((it) => newer(it, change));
  if (value === change.value) return `${change.value}New`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key === change.key ? `${key}New` : key, newer(it, change)]),
  );
}

function changesFor(value: unknown, found: Map<string, Change> = new Map()): Map<string, Change> {
  if (Array.isArray(value)) for (const it of value) changesFor(it, found);
  else if (typeof value === 'string' && /^[A-Za-z][\w-]{2,30}$/.test(value))
    found.set(`= ${value}`, { value });
  else if (typeof value === 'object' && value !== null)
    for (const [key, it] of Object.entries(value)) {
      if (!OWN.has(key)) found.set(key, { key });
      if (key !== 'staged' && key !== 'opencode') changesFor(it, found);
    }
  return found;
}

function read(lines: unknown[]): { texts: string[]; entries: number; counted: number } | 'refused' {
  const bytes = lines.map((line) => Buffer.from(JSON.stringify(line)));
  const { agent } = bytes.reduce<Identity>((known, line) => (known.done ? known : identify(known, line)), {
    done: false,
  });
  if (agent === undefined) return 'refused';
  const state = newSessionState(agent as Agent);
  const out = { texts: [] as string[], entries: 0, counted: 0 };
  const onEntry = (entry: object) => {
    out.entries++;
    if ('text' in entry) out.texts.push(String(entry.text));
  };
  const fold = { state, seen: new SeenIds(), sessionId: 'made', extent: 'paragraph' as const, onEntry };
  let at = 0;
  for (const line of bytes) {
    foldLine(fold, line, at, false);
    at += line.length + 1;
  }
  const { bad, unknown } = state.lines;
  out.counted = bad + Object.values(unknown).reduce((sum, it) => sum + it, 0);
  return out;
}

describe.each(Object.entries({ ...WRITERS, ...MEMORY_WRITERS }))('a newer version of %s', (_, write) => {
  it('that calls a field or a kind by another name loses no words without a count', () => {
    const lines = write(MUTATED_SESSION);
    const whole = read(lines);
    expect(whole).toMatchObject({ counted: 0 });
    const lost: string[] = [];
    for (const [name, change] of changesFor(lines)) {
      const found = read(lines.map((line) => newer(line, change)));
      if (found === 'refused' || whole === 'refused' || found.counted > 0) continue;
      const isThere = (text: string) => found.texts.some((it) => it.includes(text));
      if (found.entries === 0 || TEXTS.some((text) => !isThere(text))) lost.push(name);
    }
    expect(lost).toEqual([]);
  });
});

it('a file in which nothing is understood is refused by every sync, and read once it can be', async () => {
  const world = makeWorld();
  const folder = join(world.places.agents!.qwen[0]!, 'projects', '-srv-shop', 'chats');
  mkdirSync(folder, { recursive: true });
  const put = (change: Change) =>
    writeFileSync(
      join(folder, 'made.jsonl'),
      WRITERS.qwen(MUTATED_SESSION)
        .map((line) => `${JSON.stringify(newer(line, change))}\n`)
        .join(''),
    );
  try {
    put({ key: 'message' });
    for (let time = 0; time < 3; time++) {
      const { leftOut } = await sync(world);
      expect([leftOut.unknownAgent, (await allSessions(world)).length]).toEqual([1, 0]);
      if (time === 0) put({ key: 'parts' });
    }
    put({});
    await sync(world);
    expect((await allSessions(world)).map(({ metadata }) => metadata.counts.human)).toEqual([2]);
  } finally {
    await world.remove();
  }
});
