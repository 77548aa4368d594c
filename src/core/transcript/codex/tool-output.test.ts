import { describe, expect, it } from 'vitest';
import { newRefineState, refine } from '../../layers/refine/refine.ts';
import { type L1Line, refusedResult } from '../../model/l1.ts';
import { readLine } from '../read-line.ts';
import { readOutput } from './tool-output.ts';

const HEAD = 'Chunk ID: 42eb7d\nWall time: 0.0 seconds\nProcess exited with code';

describe('what a tool of Codex gave', () => {
  it.each([
    [
      'the newest shell',
      `${HEAD} 0\nOriginal token count: 3\nOutput:\nfine\n`,
      { text: 'fine\n', isError: false },
    ],
    ['one that failed', `${HEAD} 101\nOutput:\nboom\n`, { text: 'boom\n', isError: true, exit: 101 }],
    [
      'the older shell',
      'Exit code: 2\nWall time: 1 seconds\nOutput:\nno',
      { text: 'no', isError: true, exit: 2 },
    ],
    ['the first shell', '{"output":"no","metadata":{"exit_code":7}}', { text: 'no', isError: true, exit: 7 }],
    [
      'a script',
      [{ type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' }, { text: '{}' }],
      { text: '\n{}', isError: false },
    ],
    [
      'a script whose command failed',
      [
        { text: 'Script completed\nWall time 1 seconds\nOutput:\n' },
        { text: '{"chunk_id":"a","exit_code":3,"output":"no"}' },
      ],
      { text: '\nno', isError: true, exit: 3 },
    ],
    [
      'a patch that does not fit',
      'apply_patch verification failed: Failed to find expected lines',
      { text: 'apply_patch verification failed: Failed to find expected lines', isError: true },
    ],
    [
      'a patch that was refused',
      'patch rejected by user',
      { text: 'patch rejected by user', isError: true, refused: true },
    ],
    [
      'words about exit codes',
      'It exits with code 3 when\nExit code: 3',
      { text: 'It exits with code 3 when\nExit code: 3', isError: false },
    ],
  ])('%s', (_, output, expected) => {
    expect(readOutput(output)).toEqual(expected);
  });
});

/** The refined lines of items of a session. */
function linesOf(...payloads: object[]): L1Line[] {
  const state = newRefineState();
  return payloads.flatMap((payload, index) => {
    const type = 'changes' in payload ? 'event_msg' : 'response_item';
    const line = JSON.stringify({ timestamp: '2026-01-05T10:00:00Z', type, payload });
    const { objects } = readLine('codex', Buffer.from(line), index * 1000, false);
    return objects.flatMap(({ entries }) => entries.flatMap((entry) => refine(state, entry, '/srv/shop')));
  });
}

describe('a patch over several files', () => {
  const input =
    '*** Begin Patch\n*** Update File: /srv/shop/a.ts\n-1\n+2\n*** Update File: /srv/shop/b.ts\n-1\n+2\n*** End Patch';
  const call = { type: 'custom_tool_call', name: 'apply_patch', call_id: 'c', input };
  const answer = (output: string) => ({ type: 'custom_tool_call_output', call_id: 'c', output });
  const result = (output: string) => linesOf(call, answer(output)).map((line) => [line.target, line.result]);

  it('is done for all of them when it succeeds', () => {
    expect(result('{"output":"Success. Updated the following files"}')).toEqual([
      ['a.ts', undefined],
      ['b.ts', undefined],
    ]);
  });

  it('is done for none of them when it fails or is refused', () => {
    const failed = 'apply_patch verification failed: Failed to find expected lines';
    expect(result(failed)).toEqual([
      ['a.ts', failed],
      ['b.ts', failed],
    ]);
    expect(result('patch rejected by user').map(([, words]) => words)).toEqual([
      refusedResult(),
      refusedResult(),
    ]);
  });
});

describe('a patch that Codex says was applied', () => {
  const patch = '*** Begin Patch\\n*** Update File: /srv/shop/a.ts\\n-1\\n+2\\n*** End Patch';
  const input = `await tools.apply_patch("${patch}"); text(await tools.exec_command({"cmd":"npm test"}));`;
  const script = { type: 'custom_tool_call', name: 'exec', call_id: 'c', input };
  const diff = '@@ -12,3 +12,4 @@\n x\n-1\n+2\n@@ -80 +81 @@\n-1\n+2\n';
  const end = (success: boolean) => ({
    type: 'patch_apply_end',
    call_id: 'exec-1',
    success,
    changes: { '/srv/shop/a.ts': { type: 'update', unified_diff: diff, move_path: null } },
  });
  const failed = [{ text: 'Script completed\nOutput:\n' }, { text: '{"exit_code":3,"output":"no"}' }];
  const output = { type: 'custom_tool_call_output', call_id: 'c', output: failed };

  it('is done, with its lines, although a command of the same script fails', () => {
    expect(linesOf(script, end(true), output)).toEqual([
      expect.objectContaining({ name: 'Bash', result: 'no', exit: 3 }),
      expect.not.objectContaining({ result: expect.anything() }),
    ]);
    expect(linesOf(script, end(true), output)[1]).toMatchObject({
      name: 'Edit',
      target: 'a.ts',
      lines: '12-15,81-81',
    });
  });

  it('is not done where it says that it failed', () => {
    expect(linesOf(script, end(false), output)[1]).toMatchObject({ target: 'a.ts', result: 'no' });
  });
});

it('the exit status of a command is its own field', () => {
  const call = { type: 'function_call', name: 'exec_command', call_id: 'c', arguments: '{"cmd":"npm test"}' };
  const output = { type: 'function_call_output', call_id: 'c', output: `${HEAD} 101\nOutput:\nboom\n` };
  expect(linesOf(call, output)).toMatchObject([
    { name: 'Bash', target: 'npm test', result: 'boom', exit: 101 },
  ]);
});
