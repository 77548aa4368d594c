import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginMark, composedId, endMark, withoutComposed } from './composed-marks.ts';

const plain = fc.string({ maxLength: 60 }).map((text) => text.replace(/[<>]/g, ''));
const marked = (body: string) => `${beginMark(composedId(body))}\n${body}\n${endMark(composedId(body))}`;

describe('text between marks', () => {
  it('is removed from any place of a message, and the text around it stays', () => {
    fc.assert(
      fc.property(plain, plain, plain, (before, body, after) => {
        const { text, marks } = withoutComposed(`${before}\n${marked(body)}\n${after}`);
        expect(marks).toEqual([{ id: composedId(body) }]);
        expect(text).toBe([before.trim(), after.trim()].filter(Boolean).join('\n\n'));
      }),
    );
  });

  it('may hold another composition whole', () => {
    const inner = marked('an older one');
    const outer = marked(`before\n${inner}\nafter`);
    expect(withoutComposed(`${outer}\nand now?`)).toMatchObject({ text: 'and now?' });
  });

  it('reaches to the end of the message when its end is missing, and leaves other texts alone', () => {
    const open = `ask\n${beginMark('0123456789abcdef', 42)} composed`;
    expect(withoutComposed(open)).toEqual({ text: 'ask', marks: [{ id: '0123456789abcdef', lines: 42 }] });
    const talk = 'what is <!-- keepsake:begin --> for? <!-- keepsake:end 0123456789abcdef -->';
    expect(withoutComposed(talk)).toEqual({ text: talk, marks: [] });
  });
});
