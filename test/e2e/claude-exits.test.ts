import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';
import { settled } from './settled.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

/** 20 for the figure in docs/benchmarks-in-detail.md. */
const EXITS = Number(process.env.KEEPSAKE_EXITS ?? 3);
/** A busy machine is meant to be one: nothing here is a measure of time. */
const TIMEOUT = 1_200_000 + EXITS * 60_000;
/** Processes that work at the same time, on average: more than two cores can. Other tests count. */
const BUSY = 3;
const BYTES = 4 * 1024 * 1024;
const rule = (n: number) => `From now on always ring bell number ${n} before you climb the tower.`;

describe.skipIf('missing' in client)('the end of a session in the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  const busy: ChildProcess[] = [];
  beforeAll(async () => {
    const cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    await home.keepsake('install', '--yes', '--no-sync');
    for (let n = Math.round(loadavg()[0] ?? 0) + 1; n < BUSY; n++)
      busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    return async () => {
      await model.stop();
      await settled(home.archive);
      home.remove();
      cleanUp();
    };
  });
  afterAll(() => {
    for (const child of busy) child.kill('SIGKILL');
  });

  test(
    `${EXITS} sessions of 4 MB on a busy machine end without an error, and what was said last is known at the next start`,
    async () => {
      home.waits = false;
      await home.ask('Hello.');
      const [first = ''] = home.sessions();
      for (let n = 1; n <= EXITS; n++) {
        const id = longSession(home, first, n);
        const before = model.requests.length;
        const ran = await home.claude(['-p', rule(n), '--resume', id]);
        expect(`${ran.status} ${ran.stderr}`).toBe('0 ');
        // Each of these is the next start of the one before, at once.
        if (n > 1) expect(model.seenSince(before)).toContain(`bell number ${n - 1} before`);
      }
      expect(await home.ask('Hello again.')).toContain(`bell number ${EXITS} before`);
      await settled(home.archive);
      const { items } = await home.json('sessions', '--limit', '100');
      expect(items.length).toBe(EXITS + 2);
    },
    TIMEOUT,
  );
});

/** A session as the client writes it, made long with what tools answered: the client shows a model only a part of that. */
function longSession(home: ClaudeHome, from: string, n: number): string {
  const id = `${String(n).padStart(8, '0')}-2222-4222-8222-222222222222`;
  const path = (session: string) =>
    join(home.path, '.claude', 'projects', home.app.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
  const text = readFileSync(path(from), 'utf8').replaceAll(from, id);
  writeFileSync(path(id), text);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const asked = lines.findLast(({ type }) => type === 'user');
  const answered = lines.findLast(({ type }) => type === 'assistant');
  let parentUuid: string = answered.uuid;
  for (let bytes = text.length, call = 0; bytes < BYTES; call++) {
    const uuid = (part: string) =>
      `${String(call).padStart(8, '0')}-${part}-4333-8333-${String(n).padStart(12, '0')}`;
    const tool = {
      type: 'tool_use',
      id: `toolu_${n}_${call}`,
      name: 'Bash',
      input: { command: `ls ${call}` },
    };
    const use = {
      ...answered,
      parentUuid,
      uuid: uuid('aaaa'),
      message: { ...answered.message, id: `msg_${n}_${call}`, content: [tool] },
    };
    const output = `${call} `.repeat(6000);
    const content = [{ type: 'tool_result', tool_use_id: tool.id, content: `file ${call}` }];
    const result = {
      ...asked,
      parentUuid: use.uuid,
      uuid: uuid('bbbb'),
      message: { role: 'user', content },
      toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
    };
    parentUuid = result.uuid;
    const more = `${JSON.stringify(use)}\n${JSON.stringify(result)}\n`;
    appendFileSync(path(id), more);
    bytes += more.length;
  }
  return id;
}
