import { describe, expect, it } from 'vitest';
import { editLine } from './edit-line.ts';

const wanted = (weight: number | undefined, content = 'Use tabs.') => ({ content, weight });

describe('editLine', () => {
  it('changes the digits inside the message and no other byte, odd spacing and escapes included', () => {
    const line =
      '{ "uuid" :"u1","message":{"content" : "caf\\u00e9 \\/ \\ud83d\\ude00 ##keepit0.50## Use tabs.\\n\\nGo \\"on\\"."},"toolUseResult":"##keepit0.50## Use tabs."} ';
    expect(editLine(line, 'u1', wanted(0.8))).toEqual({
      line: line.replace('##keepit0.50##', '##keepit0.80##'),
    });
  });

  it('finds words behind escapes, also those that are written as such', () => {
    const line =
      '{"uuid":"u1","message":{"content":[{"type":"text","text":"A\\n\\nUse \\u0074abs.\\n\\nB"}]}}';
    expect(editLine(line, 'u1', wanted(1))).toEqual({
      line: '{"uuid":"u1","message":{"content":[{"type":"text","text":"A\\n\\n##keepit1.00## Use \\u0074abs.\\n\\nB"}]}}',
    });
  });

  it('edits the block that holds the words, and neither thinking nor tools', () => {
    const line = JSON.stringify({
      uuid: 'u1',
      message: {
        content: [
          { type: 'thinking', text: 'Use tabs.' },
          { type: 'tool_result', content: 'Use tabs.', text: 'Use tabs.' },
          { type: 'text', text: 'First.' },
          { type: 'text', text: 'Use tabs.' },
        ],
      },
    });
    const edited = editLine(line, 'u1', wanted(0.9));
    expect(
      'line' in edited && JSON.parse(edited.line).message.content.map((it: { text: string }) => it.text),
    ).toEqual(['Use tabs.', 'Use tabs.', 'First.', '##keepit0.90## Use tabs.']);
  });

  it('refuses a line that is another one, torn, or has no id', () => {
    for (const line of [
      '{"uuid":"u2","message":{"content":"Use tabs."}}',
      '{"uuid":"u1"',
      '{"message":{}}',
      '7',
    ])
      expect(editLine(line, 'u1', wanted(1))).toHaveProperty('wrong');
    expect(editLine('{"uuid":"u1","message":{"content":7}}', 'u1', wanted(1))).toHaveProperty('wrong');
  });

  it('says so when nothing has to change', () => {
    const line = '{"uuid":"u1","message":{"content":"##keepit0.80## Use tabs."}}';
    expect(editLine(line, 'u1', wanted(0.8))).toEqual({ same: true });
    expect(editLine(line.replace('##keepit0.80## ', ''), 'u1', wanted(undefined))).toEqual({ same: true });
  });
});
