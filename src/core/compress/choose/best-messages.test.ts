import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestMessages, type ChatMessage } from './best-messages.ts';

/** Tokens by chat, with its heading. */
function chatShares(messages: ChatMessage[], headings: number[], budget: number): number[] {
  const taken = bestMessages(messages, headings, budget);
  expect(new Set(taken).size).toBe(taken.length);
  return headings.map((heading, chat) => {
    const own = taken.filter((at) => messages[at]!.chat === chat);
    return own.length === 0 ? 0 : own.reduce((sum, at) => sum + messages[at]!.tokens, heading);
  });
}

describe('what each chat of several says', () => {
  it('follows its messages: the best of all chats come first, whichever they are in', () => {
    const messages = [
      { chat: 0, tokens: 20, quality: -0.2 },
      { chat: 0, tokens: 20, quality: -4 },
      { chat: 1, tokens: 20, quality: -4 },
      { chat: 2, tokens: 20, quality: -0.3 },
    ];
    expect(chatShares(messages, [8, 8, 8], 60)).toEqual([28, 0, 28]);
  });

  it('pays a heading once: a message of a chat that is open already comes before a like one elsewhere', () => {
    const messages = [
      { chat: 0, tokens: 20, quality: -1 },
      { chat: 1, tokens: 20, quality: -1.02 },
      { chat: 0, tokens: 20, quality: -1.1 },
    ];
    expect(chatShares(messages, [10, 10], 55)).toEqual([50, 0]);
  });

  it('is never more than the budget in all, and never a heading alone', () => {
    const message = fc.record({
      chat: fc.nat(5),
      tokens: fc.integer({ min: 1, max: 200 }),
      quality: fc.double({ min: -8, max: 0, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), fc.nat(1000), (messages, budget) => {
        const headings = [5, 6, 7, 8, 9, 10];
        const shares = chatShares(messages, headings, budget);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
        for (const [chat, share] of shares.entries())
          if (share > 0) expect(share).toBeGreaterThan(headings[chat]!);
      }),
    );
  });
});
