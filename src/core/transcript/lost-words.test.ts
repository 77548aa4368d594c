import { describe, expect, it } from 'vitest';
import type { Agent } from '../model/agent.ts';
import { readLine } from './read-line.ts';

const counted = (agent: Agent, line: object) =>
  readLine(agent, Buffer.from(JSON.stringify(line)), 0, false).objects.flatMap(
    ({ unknown }) => unknown ?? [],
  );
const ts = '2026-01-05T10:00:00.000Z';
const codex = (type: string, payload: object) => ({ timestamp: ts, type, payload });
const notice = '<environment_context>\n  <cwd>/srv/shop</cwd> is where it works\n</environment_context>';

describe('words that are known to be no talk', () => {
  it.each<[string, Agent, object]>([
    ['what Codex adds', 'codex', codex('event_msg', { type: 'user_message', message: notice })],
    [
      'what Codex says to another agent',
      'codex',
      codex('response_item', {
        type: 'agent_message',
        content: [{ type: 'input_text', text: 'Go on then.' }],
      }),
    ],
    [
      'thoughts of Gemini',
      'gemini',
      { id: 'm', timestamp: ts, type: 'gemini', content: '', thoughts: [{ description: 'I look at it.' }] },
    ],
    [
      'a result of Cursor, which has no id',
      'cursor',
      { role: 'user', message: { content: [{ type: 'tool_result', content: 'All is well.' }] } },
    ],
    [
      'an error of the service of pi',
      'pi',
      {
        type: 'message',
        id: 'p',
        timestamp: ts,
        message: {
          role: 'assistant',
          content: [],
          api: 'x',
          stopReason: 'error',
          errorMessage: 'It is overloaded.',
        },
      },
    ],
  ])('are not counted as lost: %s', (_, agent, line) => {
    expect(counted(agent, line)).toEqual([]);
  });
});

describe('words in a place that no reader knows', () => {
  it.each<[string, Agent, object]>([
    [
      'an event of Codex',
      'codex',
      codex('event_msg', { type: 'user_message', content: 'Why is the basket empty?' }),
    ],
    [
      'a message of Gemini',
      'gemini',
      { id: 'm', timestamp: ts, type: 'gemini', content: '', words: 'The cookie is gone.' },
    ],
  ])('are counted: %s', (_, agent, line) => {
    expect(counted(agent, line)).toHaveLength(1);
  });
});
