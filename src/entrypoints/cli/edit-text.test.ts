import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { editText } from './edit-text.ts';

let before: string[];
beforeEach(() => {
  before = leftovers();
});
afterEach(() => expect(leftovers().filter((name) => !before.includes(name))).toEqual([]));

function leftovers(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('keepsake-edit-'));
}

/** Someone at a terminal with this editor, who answers every question so. */
function person(editor: string, answer: boolean) {
  const warnings: string[] = [];
  const console = { warn: (text: string) => void warnings.push(text), confirm: async () => answer };
  return { console, host: { environment: { editor } }, warnings };
}

const isJson = async (text: string) => {
  if (!text.startsWith('{')) throw new Fault('config', 'That is no JSON.');
};
const writes = (text: string) => `printf '%s' '${text}' >`;

test('what the editor wrote comes back once it is right', async () => {
  expect(await editText(person(writes('{"a": 1}'), false), '{}', isJson)).toBe('{"a": 1}');
  expect(await editText(person('true', false), '{}', isJson)).toBeUndefined();
});

test('errors are reported, and giving up changes nothing', async () => {
  const anyone = person(writes('oops'), false);
  expect(await editText(anyone, '{}', isJson)).toBeUndefined();
  expect(anyone.warnings).toEqual(['That is no JSON.']);
});

test('edited again, what was written is still there', async () => {
  // The first time it writes what is wrong, the second time it puts that right.
  const editor = `sh -c 'if grep -q oops "$1"; then echo "{}" > "$1"; else echo oops > "$1"; fi' sh`;
  expect(await editText(person(editor, true), '', isJson)).toBe('{}\n');
});

test('an editor that fails is a fault', async () => {
  await expect(editText(person('false', false), '{}', isJson)).rejects.toMatchObject({ code: 'config' });
});
