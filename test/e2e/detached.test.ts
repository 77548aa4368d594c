import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addWork, waitingWork } from '../../src/adapters/detached/work-queue.ts';
import { builtCli } from './built-cli.ts';
import { ended, HookRuns } from './hook-runs.ts';
import { settled } from './settled.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-1111-4111-8111-111111111111';
const RULE = 'From now on always feed the gulls before you sweep the gallery.';

beforeAll(() => builtCli());
let hooks: HookRuns;
beforeEach(() => {
  hooks = new HookRuns();
});
afterEach(async () => {
  await settled(hooks.archive);
  hooks.remove();
});

const keepsake: HookRuns['json'] = (...args) => hooks.json(...args);

/** As the client does: nobody waits for what a hook leaves. */
const atOnce = (event: string, session: string, more: object = {}) =>
  ended(hooks.start(hooks.input(event, session, more)));
const queue = () => waitingWork(hooks.archive).map(({ kind, key }) => `${kind} ${key}`);
/** The process that works, by its mark. */
function worker(): number | undefined {
  try {
    return Number(readFileSync(join(hooks.archive, 'cache', 'detached', '.running'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

test('the end of a session is queued when its hook returns, and done when the detached process has ended', async () => {
  hooks.write(A, [{ you: RULE, agent: 'I will.' }]);
  expect(await atOnce('SessionEnd', A)).toEqual({ status: 0, stdout: '', stderr: '' });
  await settled(hooks.archive);
  expect(queue()).toEqual([]);
  expect(keepsake('sessions').items).toMatchObject([{ sessionId: A }]);
  expect(JSON.stringify(keepsake('facts'))).toContain('feed the gulls');
  expect(readdirSync(join(hooks.archive, 'cache', 'detached'))).toEqual(['.lock.sqlite']);
});

test('the next start knows a rule from the last message, even immediately after it', async () => {
  hooks.write(A, [{ you: 'Hello there.', agent: 'Hello.' }]);
  await hooks.run('Stop', A);
  hooks.write(A, [{ you: RULE, agent: 'I will.' }], 1);
  await atOnce('SessionEnd', A);
  const { stdout } = await atOnce('SessionStart', B, { source: 'startup' });
  expect(stdout).toMatch(/Rules[^#]*feed the gulls/);
});

test('when it is killed at any point nothing is lost: the next start does the rest', async () => {
  const waits = [0, 100, 250, 450, 800];
  const rules = [
    'polish the lens',
    'oil the hinges',
    'wind the clock',
    'count the lifeboats',
    'salt the steps',
  ];
  for (const [round, wait] of waits.entries()) {
    const session = `${String(round).padStart(8, '0')}-3333-4333-8333-333333333333`;
    const rule = `From now on always ${rules[round]} before sunset.`;
    hooks.write(session, [{ you: rule, agent: 'I will.' }]);
    await atOnce('SessionEnd', session);
    await new Promise((resolve) => setTimeout(resolve, wait));
    const pid = worker();
    if (pid !== undefined) killed(pid);
    const { stdout } = await atOnce('SessionStart', B, { source: 'startup' });
    expect(stdout).toMatch(new RegExp(`Rules[^#]*always ${rules[round]}`));
  }
  await settled(hooks.archive);
  expect(queue()).toEqual([]);
  // A process that was killed in the middle of a write may leave its temporary file, and verify says so.
  const problems: { message: string }[] = keepsake('verify').problems;
  expect(
    problems.filter(({ message }) => !message.includes('is left over from an interrupted write')),
  ).toEqual([]);
});

test('a command does the rest', async () => {
  hooks.write(A, [{ you: RULE, agent: 'I will.' }]);
  await atOnce('SessionEnd', A);
  const pid = worker();
  if (pid !== undefined) killed(pid);
  await settled(hooks.archive);
  keepsake('sessions');
  await settled(hooks.archive);
  expect(queue()).toEqual([]);
  expect(JSON.stringify(keepsake('facts'))).toContain('feed the gulls');
});

test('one process at a time works on the ends of 12 sessions', async () => {
  const ids = Array.from(
    { length: 12 },
    (_, n) => `${String(n).padStart(8, '0')}-4444-4444-8444-444444444444`,
  );
  for (const id of ids) hooks.write(id, [{ you: `Note ${id}.`, agent: 'Noted.' }]);
  await Promise.all(ids.map((id) => atOnce('SessionEnd', id)));
  await settled(hooks.archive);
  keepsake('status');
  await settled(hooks.archive);
  expect(queue()).toEqual([]);
  const items: { sessionId: string }[] = keepsake('sessions', '--limit', '50').items;
  expect(items.map(({ sessionId }) => sessionId).sort()).toEqual(ids);
  expect(keepsake('verify').problems).toEqual([]);
});

test('a session that is excluded after its end leaves nothing', async () => {
  hooks.write(A, [{ you: RULE, agent: 'I will.' }]);
  addWork(hooks.archive, 'session-end', A, { event: hooks.input('SessionEnd', A), started: '' });
  writeFileSync(join(hooks.cwd, '.keepsake-ignore'), '');
  keepsake('status');
  await settled(hooks.archive);
  expect(queue()).toEqual([]);
  expect(existsSync(join(hooks.archive, 'projects'))).toBe(false);
});

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had ended.
  }
}
