import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clinePlugin } from '../../src/core/model/agent-plugins.ts';

type Context = { appendContext: string } | undefined;
type Plugin = {
  setup: (api: object, at: { session: { sessionId: string }; workspaceInfo: { rootPath: string } }) => void;
  hooks: { beforeRun: (it: object) => Promise<Context>; afterTool: (it: object) => Context };
};

const SNAPSHOT = {
  messages: [{ role: 'user', content: '<user_input mode="act">which tools?</user_input>' }],
};
/** Answers a start at once, and a prompt once there is a file `go`. */
const HOOK = `
const { existsSync } = require('node:fs');
const input = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const answer = (additionalContext) =>
  process.stdout.write(JSON.stringify({ hookSpecificOutput: { additionalContext } }));
if (input.hook_event_name === 'SessionStart') answer('start of ' + input.session_id);
else {
  const timer = setInterval(() => {
    if (!existsSync('go')) return;
    clearInterval(timer);
    answer('beside ' + input.prompt);
  }, 20);
}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-cline-plugin-'));
  writeFileSync(join(folder, 'hook.cjs'), HOOK);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the injections at the start and beside the first prompt are passed on once, in this order', async () => {
  writeFileSync(join(folder, 'go'), '');
  const { hooks } = await loaded();
  const told = [(await hooks.beforeRun({ snapshot: SNAPSHOT }))?.appendContext ?? ''];
  // On a busy machine it may be too late for the prompt.
  const all = () => {
    told.push(hooks.afterTool({ snapshot: SNAPSHOT })?.appendContext ?? '');
    return told.filter(Boolean).join('\n\n');
  };
  await expect.poll(all).toBe('start of s1\n\nbeside which tools?');
  expect(hooks.afterTool({ snapshot: SNAPSHOT })).toBeUndefined();
});

test('an answer that is too late for its prompt is passed on once, with the next tool call', async () => {
  const { hooks } = await loaded();
  const first = await hooks.beforeRun({ snapshot: SNAPSHOT });
  expect(first?.appendContext ?? '').not.toContain('beside');
  writeFileSync(join(folder, 'go'), '');
  await expect
    .poll(() => hooks.afterTool({ snapshot: SNAPSHOT })?.appendContext)
    .toContain('beside which tools?');
  expect(hooks.afterTool({ snapshot: SNAPSHOT })).toBeUndefined();
});

async function loaded(): Promise<Plugin> {
  const file = join(folder, 'keepsake.mjs');
  writeFileSync(file, clinePlugin({ node: process.execPath, hook: join(folder, 'hook.cjs') }));
  const plugin = ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default: Plugin }).default;
  plugin.setup({}, { session: { sessionId: 's1' }, workspaceInfo: { rootPath: folder } });
  return plugin;
}
