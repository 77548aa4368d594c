import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli } from '../e2e/built-cli.ts';
import { ended, HookRuns } from '../e2e/hook-runs.ts';
import { settled } from '../e2e/settled.ts';

const SESSIONS = 50;
const KILLED = 5;
const EVENTS = ['UserPromptSubmit', 'Stop', 'Stop', 'SessionEnd'];

beforeAll(() => builtCli());
let hooks: HookRuns;
beforeEach(() => {
  hooks = new HookRuns();
});
afterEach(() => hooks.remove());

const keepsake: HookRuns['json'] = (...args) => hooks.json(...args);

test('the hooks of 50 sessions at once, one in ten killed: nothing is corrupt, and after a sync nothing is missing', async () => {
  const ids = Array.from(
    { length: SESSIONS },
    (_, n) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`,
  );
  for (const [round, event] of EVENTS.entries()) {
    for (const id of ids)
      hooks.write(id, [{ you: `Ask ${round} of ${id}`, agent: `Answer ${round}` }], round);
    const running = ids.map((id) => hooks.start(hooks.input(event, id, { prompt: 'ask answer' })));
    // Spread over the duration of hooks, so that kills hit every stage.
    const killed = new Set(running.filter((_, n) => n % (SESSIONS / KILLED) === round));
    for (const child of killed) setTimeout(() => child.kill('SIGKILL'), 40 + Math.random() * 400);
    const results = await Promise.all(running.map(ended));
    for (const [n, { status }] of results.entries()) if (!killed.has(running[n]!)) expect(status).toBe(0);
  }
  // Each hook was killed or has ended, and at most one process works on what they left, in parallel with this sync.
  keepsake('sync');
  await settled(hooks.archive);
  // That process may not have finished what it began after the sync had passed.
  keepsake('sync');
  expect(keepsake('verify').problems).toEqual([]);
  const { items } = keepsake('sessions', '--limit', '200');
  expect(items.map((it: { sessionId: string }) => it.sessionId).sort()).toEqual(ids);
  for (const { sessionId, projectId } of items) {
    const copy = join(hooks.archive, 'projects', projectId, 'originals', `${sessionId}.jsonl`);
    expect(readFileSync(copy).equals(readFileSync(hooks.path(sessionId)))).toBe(true);
  }
  expect(JSON.stringify(keepsake('search', '"Ask 3 of 00000049"'))).toContain('Ask 3 of 00000049');
});
