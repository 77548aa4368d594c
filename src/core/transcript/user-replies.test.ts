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
    'The choices of the user are noted.',
  ])('is one entry with its question and what the option says: %s', (report) => {
    expect(answered(report)).toMatchObject([
      { kind: 'user', text: 'Postgres', asked: QUESTION, choice: 'already there', reply: true },
    ]);
  });
});
