import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_SCRIPTS } from '../../../test/made/replay-days.ts';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';
import { sync } from '../sync/sync.ts';
import { replay } from './replay.ts';

/** A checkout, a worktree of it by its path, and two folders that only a session of theirs says to be of one repository. */
const FOLDERS = ['/srv/shop', '/srv/shop/.worktrees/fix', '/srv/ana/copy', '/srv/ana/store'];
type Day = { script: number; folder: number; states?: boolean };

const nameOf = (day: number) => `day${String(day).padStart(5, '0')}`;

/** Codex writes down the address of its repository. */
function statingSession(id: string, steps: Step[], date: string, cwd: string): string {
  const at = (n: number) => `${date}T10:00:${String(n).padStart(2, '0')}.000Z`;
  const git = { repository_url: 'git@github.com:acme/shop.git' };
  const lines: object[] = [{ timestamp: at(0), type: 'session_meta', payload: { id, cwd, git } }];
  for (const [n, step] of steps.entries())
    if ('you' in step || 'agent' in step) {
      const [type, message] = 'you' in step ? ['user_message', step.you] : ['agent_message', step.agent];
      lines.push({ timestamp: at(n + 1), type: 'event_msg', payload: { type, message } });
    }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function put(world: TestWorld, days: readonly Day[]): void {
  for (const [index, { script, folder, states }] of days.entries()) {
    const [cwd, steps] = [FOLDERS[folder]!, DAY_SCRIPTS[script]!];
    const date = `2026-01-${String(index + 1).padStart(2, '0')}`;
    const place = states
      ? join(world.places.agents!.codex[0]!, 'sessions', date.replaceAll('-', '/'))
      : join(world.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(place, { recursive: true });
    const id = nameOf(index + 1);
    const text = states ? statingSession(id, steps, date, cwd) : workSession(id, steps, date, cwd);
    writeFileSync(join(place, states ? `rollout-${date}T10-00-00-${id}.jsonl` : `${id}.jsonl`), text);
  }
}

/** What would have been said, by session. */
function said(world: TestWorld): Map<string, ReplayedInjection[]> {
  const root = join(world.places.archive, 'cache', 'replay');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return new Map(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name, JSON.parse(readFileSync(join(root, name), 'utf8')).injections]),
  );
}

/** What is said to the first so many days, and the cases that came there: those need no later session to be found. */
async function firstDays(days: readonly Day[], before: number) {
  const world = makeWorld();
  try {
    put(world, days);
    await sync(world);
    const { cases } = await replay(world);
    const names = days.slice(0, before).map((_, at) => nameOf(at + 1));
    return {
      said: [...said(world)].filter(([name]) => names.some((own) => name.endsWith(`${own}.json`))),
      cases: cases
        .filter(({ kind, again }) => kind !== 'contradicted' && names.includes(again.session))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    };
  } finally {
    await world.remove();
  }
}

const wordsTo = (of: Awaited<ReturnType<typeof firstDays>>, day: number) =>
  of.said
    .flatMap(([name, texts]) => (name.endsWith(`${nameOf(day)}.json`) ? texts.map((it) => it.text) : []))
    .join('\n');

test('folders are one project from the session on that says so', async () => {
  const before: Day[] = [
    { script: 0, folder: 2 },
    { script: 2, folder: 3 },
    { script: 0, folder: 3 },
    { script: 2, folder: 2, states: true },
    { script: 2, folder: 3, states: true },
    { script: 2, folder: 3 },
  ];
  const whole = await firstDays(before, 6);
  expect(wordsTo(whole, 2)).toBe('');
  // The agent of the fifth day asked the checkout at its beginning.
  for (const day of [5, 6]) expect(wordsTo(whole, day)).toContain('Never edit the generated files');
  expect(wordsTo(whole, 5)).toContain('valid on 2026-01-01');
  expect(wordsTo(whole, 6)).toContain('valid on 2026-01-01');
  const alone = await firstDays(before.slice(0, 3), 3);
  expect(await firstDays(before, 3)).toEqual(alone);
  expect(alone.said).toHaveLength(3);
});

test('no look-ahead: later sessions, others or the same in another order, do not change earlier injections', async () => {
  const day: fc.Arbitrary<Day> = fc.record({
    script: fc.nat(DAY_SCRIPTS.length - 1),
    folder: fc.nat(FOLDERS.length - 1),
    states: fc.boolean(),
  });
  let texts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(day, { minLength: 2, maxLength: 5 }),
      fc
        .array(day, { minLength: 2, maxLength: 5 })
        .chain((later) =>
          fc.tuple(
            fc.constant(later),
            fc.shuffledSubarray(later, { minLength: later.length }),
            fc.array(day, { maxLength: 3 }),
          ),
        ),
      async (before, afters) => {
        const [alone, ...others] = await Promise.all(
          [[], ...afters].map((after) => firstDays([...before, ...after], before.length)),
        );
        expect(alone!.said).toHaveLength(before.length);
        texts += alone!.said.flatMap(([, it]) => it).length;
        for (const other of others) expect(other).toEqual(alone);
      },
    ),
    { numRuns: 10 },
  );
  // Where nothing is said there is nothing to hold.
  expect(texts).toBeGreaterThan(8);
});
