import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import { readLine } from './read-line.ts';
import { type ReplyState, userReplies } from './user-replies.ts';

const QUESTION = 'Which store should sessions live in?';
const questions = [
  {
    question: QUESTION,
    header: 'Store',
    options: [
      { label: 'Redis', description: 'fast, but one more service' },
      { label: 'Postgres', description: 'already there' },
    ],
    multiSelect: false,
  },
];

function line(type: 'user' | 'assistant', block: object, beside: object = {}): Entry[] {
  const envelope = { isSidechain: false, cwd: '/srv/shop', sessionId: 's1', version: '2.1.300' };
  const object = {
    ...envelope,
    type,
    message: { role: type, content: [block] },
    uuid: `u-${type}`,
    timestamp: '2026-03-01T00:00:00.000Z',
    ...beside,
  };
  return readLine('claude-code', Buffer.from(JSON.stringify(object)), 0, false).objects.flatMap(
    ({ entries }) => entries,
  );
}

function answered(report: string) {
  const state: ReplyState = [];
  const entries = [
    ...line('assistant', { type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: { questions } }),
    ...line(
      'user',
      { type: 'tool_result', content: report, tool_use_id: 't1' },
      { toolUseResult: { questions, answers: { [QUESTION]: 'Postgres' } } },
    ),
  ];
  return entries.flatMap((entry) => userReplies(state, entry));
}

describe('an answer to a question of the agent', () => {
  it.each([
    `User has answered your questions: "${QUESTION}"="Postgres". You can now continue with the user's answers in mind.`,
    `Your questions have been answered: "${QUESTION}"="Postgres". You can now continue.`,
    `Your questions have been answered: ${QUESTION} Postgres.`,
    'Your questions have been answered: 1) Postgres',
    'The choices of the user are noted.',
  ])('is one entry with its question and what the option says: %s', (report) => {
    expect(answered(report)).toMatchObject([
      { kind: 'user', text: 'Postgres', asked: QUESTION, choice: 'already there', reply: true },
    ]);
  });
});

describe('answers beside a result', () => {
  const answeredWith = (toolUseResult: object, report = 'Your questions have been answered.') => {
    const state: ReplyState = [];
    const entries = [
      ...line('assistant', { type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: { questions } }),
      ...line('user', { type: 'tool_result', content: report, tool_use_id: 't1' }, { toolUseResult }),
    ];
    return entries.flatMap((entry) => userReplies(state, entry));
  };

  it("are read in any place, whole, with the user's own notes", () => {
    const long = `Postgres, ${'because it is backed up every night and '.repeat(40)}we know it.`;
    expect(answeredWith({ answers: { [QUESTION]: long }, questions })).toMatchObject([
      { text: long, asked: QUESTION },
    ]);
    const annotations = { [QUESTION]: { notes: 'but only in staging' } };
    expect(answeredWith({ questions, answers: { [QUESTION]: 'Postgres' }, annotations })).toMatchObject([
      { text: 'Postgres', choice: 'already there' },
      { text: 'but only in staging', asked: QUESTION },
    ]);
    expect(answeredWith({ questions, answers: { [QUESTION]: ['Redis', 'Postgres'] } })).toMatchObject([
      { text: 'Redis, Postgres', choice: 'Redis: fast, but one more service; Postgres: already there' },
    ]);
  });
});

describe('a call that was not allowed', () => {
  const refusal = (content: string) => {
    const state: ReplyState = [];
    const [result] = line('user', { type: 'tool_result', content, is_error: true, tool_use_id: 't1' });
    const call = line('assistant', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } });
    const said = [...call, result!].flatMap((entry) => userReplies(state, entry)).map(({ text }) => text);
    return { refused: result?.kind === 'tool-result' && result.refused, said };
  };
  const REFUSED =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";
  const NOTE =
    "\n\nNote: The user's next message may contain a correction or preference. Pay close attention to it.";

  it('keeps the words of the user, and none that the client adds', () => {
    expect(refusal(`${REFUSED}use the other port`)).toEqual({ refused: true, said: ['use the other port'] });
    expect(refusal(`${REFUSED}use the other port\n\nit is free${NOTE}`).said).toEqual([
      'use the other port\n\nit is free',
    ]);
    expect(refusal(`${REFUSED}${NOTE}`).said).toEqual([]);
    const reminder = '\n\n<system-reminder>From now on always deploy.</system-reminder>';
    expect(refusal(`${REFUSED}no${reminder}`).said).toEqual(['no']);
    expect(refusal(`${REFUSED}Note: the user table is empty`).said).toEqual([
      'Note: the user table is empty',
    ]);
  });

  it('is known in each of the client’s wordings', () => {
    const stop =
      "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.";
    expect(refusal(stop)).toEqual({ refused: true, said: [] });
    expect(refusal('User rejected tool use')).toEqual({ refused: true, said: [] });
    expect(refusal('The user list is empty').refused).toBeUndefined();
  });
});
