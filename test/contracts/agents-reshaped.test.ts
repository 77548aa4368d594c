import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/core/model/agent.ts';
import { MEMORY_WRITERS, WRITERS } from '../made/agent-sessions.ts';
import type { Happening } from '../made/happening.ts';
import { CLAUDE_CODE_RESULT, MARKED_LINES } from '../made/marked-lines.ts';
import { MUTATED_SESSION } from '../made/mutated-file.ts';
import { readBack } from '../made/newer-version.ts';

/** A field and its value as a newer version may write them; undefined: not this field. */
type Reshape = (key: string, value: unknown) => [string, unknown] | undefined;

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const only =
  (type: string, reshape: Reshape): Reshape =>
  (key, value) =>
    typeof value === type ? reshape(key, value) : undefined;

/** Any field. */
const FIELDS: Record<string, Reshape> = {
  'by a name of another case': (key, value) => [snake(key) === key ? camel(key) : snake(key), value],
  'by a name that is not like it': (_, value) => ['zq', value],
  'in an object': (key, value) => [key, { value }],
  'in an object with another key': (key, value) => [key, { raw: value }],
  'by another name, in an object': (key, value) => [`${key}New`, { value }],
  'inside of others': (key, value) => ['about', { info: { [key]: value } }],
  'in a list': (key, value) => (Array.isArray(value) ? undefined : [key, [value]]),
};
/** What says that a call failed. */
const FLAGS: Record<string, Reshape> = {
  'as a text': only('boolean', (key, value) => [key, String(value)]),
  'as a text by another name': only('boolean', (key, value) => [`${key}New`, String(value)]),
  'as a number': only('boolean', (key, value) => [key, value ? 1 : 0]),
  'as a number by another name': only('boolean', (key, value) => [`${key}New`, value ? 1 : 0]),
  'as its opposite': only('boolean', (_, value) => ['ok', !value]),
  'as a word': only('boolean', () => ['outcome', 'failure']),
  'as an error with a code': only('boolean', () => ['error', { code: 'EFAIL', message: 'x' }]),
  'as the text of an error': only('boolean', () => ['errorMessage', 'the command broke']),
  'as a kind of status': only('boolean', () => ['status', { type: 'error' }]),
  'as an exit code': only('boolean', () => ['exit_code', 1]),
  'as a code': only('boolean', () => ['code', 1]),
  'as a number that is a text': only('number', (key, value) => [`${key}New`, String(value)]),
};
const path = (value: unknown) => typeof value === 'string' && value.startsWith('/');
const FOLDERS: Record<string, Reshape> = {
  'as an address': (key, value) => (path(value) ? [`${key}Uri`, `file://${value}`] : undefined),
  'as a workspace': (_, value) => (path(value) ? ['workspace', { scheme: 'file', path: value }] : undefined),
  'as a list of roots': (_, value) => (path(value) ? ['roots', [{ uri: value }]] : undefined),
};
/** A word that says a kind or how something ended. */
const WORDS: Record<string, (word: string) => unknown> = {
  'in capitals': (word) => word.toUpperCase(),
  'as a number': () => 7,
  'in an object': (type) => ({ type }),
  'by another word': () => 'failure',
  'with a dot': (word) => `v2.${word}`,
  'with a blank': (word) => `${word} again`,
};

/** Its output has several words, as outputs have. */
const SESSION: Happening[] = MUTATED_SESSION.map((one) =>
  one.kind === 'run' ? { ...one, output: 'the basket test broke here' } : one,
);
/** Keepsake's own. */
const OWN = new Set(['staged', 'opencode', 'row', 'kind']);
const isKind = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z][A-Za-z_-]{2,30}$/.test(value);

/** Each field by its name, by the one that it is in where there are several, and each word that may be a kind. */
function placesIn(lines: object[]): string[] {
  const places = [...everyPlace(lines)];
  const fields = places.filter((place) => /^\w*\./.test(place)).map((place) => place.split('.')[1]!);
  const isAmongOthers = (key: string) => fields.filter((it) => it === key).length > 2;
  return places.filter((place) => /^(?:=|\.)/.test(place) || isAmongOthers(place.split('.')[1]!));
}

function everyPlace(value: unknown, parent = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const it of value) everyPlace(it, parent, found);
  else if (isKind(value)) found.add(`= ${value}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, it] of Object.entries(value)) {
      // A name with a number in it is an id.
      if (!OWN.has(key) && !/\d/.test(key)) found.add(`${parent}.${key}`).add(`.${key}`);
      if (key !== 'staged' && key !== 'opencode') everyPlace(it, key, found);
    }
  return found;
}

function reshaped(value: unknown, place: string, reshape: Reshape, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((it) => reshaped(it, place, reshape, parent));
  if (isKind(value) && place === `= ${value}`) return reshape('', value)?.[1] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, it]): [string, unknown] => {
    const inner = reshaped(it, place, reshape, key);
    const isMeant = place === `.${key}` || place === `${parent}.${key}`;
    return (isMeant ? reshape(key, inner) : undefined) ?? [key, inner];
  });
  return Object.fromEntries(fields);
}

function lostIn(lines: object[]): string[] {
  const whole = readBack(lines, SESSION);
  expect(whole).toMatchObject({ counted: 0 });
  if (whole === 'refused') return ['all'];
  const kinds = Object.entries(WORDS).map(([name, word]): [string, Reshape] => [
    name,
    (key, value) => [key, word(String(value))],
  ]);
  const before = JSON.stringify(lines);
  return placesIn(lines).flatMap((place) => {
    const reshapes = place.startsWith('= ') ? kinds : Object.entries({ ...FIELDS, ...FLAGS, ...FOLDERS });
    return reshapes.flatMap(([name, reshape]) => {
      const after = lines.map((line) => reshaped(line, place, reshape));
      const found = JSON.stringify(after) === before ? whole : readBack(after, SESSION);
      if (found === 'refused' || found.counted > 0) return [];
      // What an error says comes before what was printed.
      const isText = (it: string) => name in FLAGS && !/^(?:title|folder|failure)/.test(it);
      const gone = [...whole.held].filter((it) => !found.held.has(it) && !isText(it));
      return gone.map((it) => `${place} ${name}: ${it}`);
    });
  });
}

describe.each(Object.entries({ ...WRITERS, ...MEMORY_WRITERS }))('a newer version of %s', (agent, write) => {
  it('that writes a field in another form or place loses nothing uncounted', () => {
    expect(lostIn([...write(SESSION), ...(MARKED_LINES[agent as Agent] ?? [])])).toEqual([]);
  });
});

describe('lines of Claude Code that are only parsed in part', () => {
  const [block] = CLAUDE_CODE_RESULT.message.content;
  const { is_error: _, ...plain } = block!;
  const resultWith = (more: object) => ({
    ...CLAUDE_CODE_RESULT,
    message: { role: 'user', content: [{ ...plain, ...more }] },
  });

  it.each([
    [{ is_error: 'true' }],
    [{ is_error: 1 }],
    [{ status: 'error' }],
    [{ error: { message: 'it broke' } }],
    [{ exitCode: 2 }],
  ])('count a failure that is written as %j', (more) => {
    expect(readBack([resultWith(more)], SESSION)).toMatchObject({ counted: 1 });
  });

  it('are not counted if a result is no failure', () => {
    for (const more of [{}, { is_error: false }])
      expect(readBack([resultWith(more)], SESSION)).toMatchObject({ counted: 0 });
  });

  const answer = (content: unknown) => {
    const { parentUuid, isSidechain, userType, cwd, sessionId, version, uuid, timestamp } =
      CLAUDE_CODE_RESULT;
    const message = { model: 'made-1', id: 'msg_made', role: 'assistant', content, stop_reason: null };
    const head = { parentUuid, isSidechain, userType, cwd, sessionId, version, gitBranch: 'main' };
    return { ...head, message, type: 'assistant', uuid, timestamp };
  };

  it.each([
    [[{ type: 'text_v2', text: 'The cookie is gone.' }]],
    [[{ type: 'text', body: 'The cookie is gone.' }]],
    [[{ type: 'tool_use', id: 'f', name: 'Bash', input: ['npm test'] }]],
    [[['The cookie is gone.']]],
  ])('count a block of an unknown form: %j', (content) => {
    expect(readBack([answer(content)], SESSION)).toMatchObject({ counted: 1 });
  });

  it('are not counted if every block is known', () => {
    const known = answer([{ type: 'text', text: 'The cookie is gone.' }]);
    expect(readBack([known], SESSION)).toMatchObject({
      counted: 0,
      held: new Set(['folder /srv/shop', 'assistant The cookie is gone.']),
    });
  });
});
