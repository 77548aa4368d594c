import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeSession } from '../../../test/made/transcript.ts';
import { readUserText } from './claude-code/user-text.ts';
import { readLine } from './read-line.ts';

const read = (text: string) => readLine('claude-code', Buffer.from(text), 0, false);
const words = (text: string) =>
  read(text).objects.flatMap(({ entries }) => entries.map((entry) => ('text' in entry ? entry.text : '')));

describe('a line that was torn', () => {
  it('does not take the one that was written right behind it along, and is counted', () => {
    const whole = JSON.stringify({
      parentUuid: null,
      cwd: '/s',
      sessionId: 's',
      type: 'user',
      message: { role: 'user', content: 'still here' },
      uuid: 'u',
      timestamp: '2026-03-01T00:00:00Z',
    });
    fc.assert(
      fc.property(madeSession, fc.nat(), (lines, cut) => {
        for (const { text } of lines) {
          const torn = Buffer.from(text).subarray(0, 1 + (cut % Math.max(1, Buffer.byteLength(text) - 1)));
          const reading = readLine('claude-code', Buffer.concat([torn, Buffer.from(whole)]), 0, false);
          expect(reading.bad, `${torn}`).toBe(true);
          const found = reading.objects.flatMap(({ entries }) => entries.map((entry) => entry.id));
          expect(found, `${torn}`).toContain('u');
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is bad even where its kind holds nothing to remember', () => {
    expect(read('{"type":"progress","data":{"type":"hook_progress","hookEv').bad).toBe(true);
    expect(read('{"type":"file-history-snapshot","messageId":"m"').bad).toBe(true);
  });
});

describe("a human's words", () => {
  const human = (text: string) => {
    const read = readUserText(text);
    return read.speaker === 'user' ? read.text : undefined;
  };

  it('stay whole where they only speak of what the client writes', () => {
    for (const text of [
      'What does <system-reminder> mean? I see it everywhere.',
      '<ide_selection> is what I see, why?',
      '<command-name>x</command-name> is shown raw, why?',
      'This session is being continued by me.',
    ]) {
      expect(human(text)).toBe(text);
    }
  });

  it('are found in a queue behind a tag of their own, and after a command of the client', () => {
    expect(
      words(
        '{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-01T00:00:00Z","content":"<MyButton> is broken"}',
      ),
    ).toEqual(['<MyButton> is broken']);
    const compact = {
      type: 'system',
      subtype: 'local_command',
      content: '<command-name>/compact</command-name>\n<command-args>keep the API</command-args>',
      uuid: 'u',
      timestamp: '2026-03-01T00:00:00Z',
    };
    expect(words(JSON.stringify(compact))).toEqual(['keep the API']);
  });
});
