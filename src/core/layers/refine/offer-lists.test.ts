import { describe, expect, it } from 'vitest';
import { answerTo, type Offer, offerIn, offeringEnd } from './offer.ts';

const labels = (text: string) => offerIn(text)?.options.map(([label, body]) => `${label}=${body}`);

describe('the options that a message lists', () => {
  it.each([
    ['1. In memory\n2. On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['  - A) In memory\n  - B) On disk\nWhich?', ['A=In memory', 'B=On disk']],
    ['* a: In memory\n* b: On disk\nWhich?', ['A=In memory', 'B=On disk']],
    ['(1) In memory\n(2) On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['## Option 1: In memory\n## Option  2: On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['##### Option 1: In memory\n#####Option 2: On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['###### Option 1: In memory\n###### Option 2: On disk\nWhich?', []],
    ['**Approach  A** — In memory\n**Approach B** — On disk\nWhich?', []],
    ['**Approach  A — In memory**\n__Approach B – On `disk`__\nWhich?', ['A=In memory', 'B=On disk']],
    ['Choice  1 - In memory\nChoice 2  -  On  disk\nWhich?', ['1=In memory', '2=On disk']],
    ['Variant  a. In memory\nVariant b. On disk\nWhich?', ['A=In memory', 'B=On disk']],
    ['| 1 | In memory |\n| 2 | On disk |\nWhich?', ['1=In memory', '2=On disk']],
    ['1) ## In memory\n2)  On disk  \nWhich?', ['1=In memory', '2=On disk']],
    ['1.In memory\n2.On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['1 In memory\n2 On disk\nWhich?', []],
    ['10. In memory\n20. On disk\nWhich?', []],
    ['F) In memory\nG) On disk\nWhich?', []],
    ['1. Alone\nWhich?', []],
    ['1-In memory\n2-On disk\nWhich?', []],
    ['1. \n2. \nWhich?', []],
    // Code is no list, and what was listed before another list is over.
    ['```\n1. In memory\n2. On disk\n```\nWhich?', []],
    ['~~~~\n1. a\n~~~~\n1. In memory\n2. On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['1. a\n2. b\n3. c\n\nOr:\n\nA. In memory\nB. On disk\nWhich?', ['A=In memory', 'B=On disk']],
    ['Option 1: In memory\n1. a step\n2. a step\nOption 2: On disk\nWhich?', ['1=In memory', '2=On disk']],
    ['1. a\n2. b\nOption 1: In memory\nOption 2: On disk\nWhich?', ['1=In memory', '2=On disk']],
  ])('%j', (text, wanted) => {
    expect(labels(text)).toEqual(wanted);
  });

  it('are at most twelve', () => {
    const many = Array.from({ length: 14 }, (_, index) => `${(index % 8) + 2}. x${index}`).join('\n');
    expect(labels(`${many}\nWhich?`)).toHaveLength(12);
  });
});

describe('what a message asks', () => {
  const asked = (text: string) => offerIn(text)?.asked;

  it.each([
    ['Done. Should I release it?', 'Should I release it?'],
    ['Should I release it? It is ready.', 'Should I release it?'],
    ['Should I **release it?**', 'Should I release it?'],
    ['He said "Should I release it?"', 'He said "Should I release it?"'],
    ['先に出しますか？', '先に出しますか？'],
    ['Done.', undefined],
    ['', undefined],
    ['Pick one of these:\n1. In memory\n2. On disk', 'Pick one of these:'],
    ['## Pick  **one**:\n- A) In memory\n- B) On disk', 'Pick one:'],
    ['1. In memory\n2. On disk', undefined],
    ['Pick:\n1. Alone', undefined],
    ['Is it?\na\nb\nc\nd\ne', 'Is it?'],
    ['Is it?\na\nb\nc\nd\ne\nf', undefined],
    ['```\nIs it?\n```', undefined],
    ['which one?', undefined],
    ['which way now?', 'which way now?'],
    ['Which one?', 'Which one?'],
    ['which one is?', 'which one is?'],
    [`${'Is it so '.repeat(70)}?`, undefined],
  ])('%j', (text, wanted) => {
    expect(asked(text)).toBe(wanted);
  });

  it('may be as long as 600 characters', () => {
    const question = (length: number) => `W${'x'.repeat(length - 2)}?`;
    expect(asked(question(600))).toHaveLength(600);
    expect(asked(question(601))).toBeUndefined();
  });
});

describe('the end of a message that is looked at', () => {
  const filler = (length: number) => 'y'.repeat(length);

  it('is all of a short one', () => {
    expect(offeringEnd(filler(6000))).toBe(filler(6000));
    expect(offeringEnd(`a\n${filler(5998)}`)).toBe(`a\n${filler(5998)}`);
  });

  it('begins with a whole line of a long one', () => {
    expect(offeringEnd(`${filler(3000)}\n${filler(2010)}\nIs it?\n${filler(3990)}`)).toBe(
      `Is it?\n${filler(3990)}`,
    );
    expect(offeringEnd(`${filler(8000)}\nIs it?`)).toBe('Is it?');
  });

  it('begins in code where the message does', () => {
    const after = `${filler(7000)}\nb\n\`\`\`\nIs it?`;
    expect(offeringEnd(`\`\`\`\n${after}`)).toBe('```\nb\n```\nIs it?');
    expect(offeringEnd(`~~~\na\n~~~\n${after}`)).toBe('b\n```\nIs it?');
    expect(offeringEnd(`x \`\`\`\n${after}`)).toBe('b\n```\nIs it?');
  });
});

describe('what short words choose', () => {
  const of = (count: number): Offer => ({
    asked: 'Which?',
    options: ['a', 'b', 'c', 'd', 'e'].slice(0, count).map((text, index) => [`${index + 1}`, text]),
  });
  const lettered: Offer = {
    asked: 'Which?',
    options: [
      ['A', 'a'],
      ['B', 'b'],
      ['C', 'c'],
    ],
  };
  const chosen = (words: string, offer = of(4)) => answerTo(offer, words)?.choice;

  it.each([
    ['2', '2: b'],
    ['option 2', '2: b'],
    ['Options 1 and 3', '1: a; 3: c'],
    ['options 1, 2 + 4', '1: a; 2: b; 4: d'],
    ['option 1 & option 2', '1: a; 2: b'],
    ['option 1 plus #3', '1: a; 3: c'],
    ['option 2-4', '2: b; 3: c; 4: d'],
    ['2 to 3', '2: b; 3: c'],
    ['1–3', '1: a; 2: b; 3: c'],
    ['1 then 3', '1: a; 3: c'],
    ['choice 3 please', '3: c'],
    ['approaches 1 and 2', '1: a; 2: b'],
    ['variant 4!', '4: d'],
    ['number 1', '1: a'],
    ['nr. 1', '1: a'],
    ['#3', '3: c'],
    ["yes, let's go with 2", '2: b'],
    ["I'd prefer option 3 because it is small", '3: c'],
    ['2, but with a test', '2: b'],
    ['2. but with a test', '2: b'],
    ['2) sounds right', '2: b'],
    ['2 — please', '2: b'],
    ['(2)', '2: b'],
    ['9', undefined],
    ['2nd', undefined],
    ['2 files are missing', undefined],
    ['2. Fix the tests', undefined],
    ['the first one', '1: a'],
    ['second', '2: b'],
    ['Third option, please', '3: c'],
    ['the fourth.', '4: d'],
    ['the LAST one, thanks', '4: d'],
    ['the fifth', undefined],
    ['all of them', '1: a; 2: b; 3: c; 4: d'],
    ['All', '1: a; 2: b; 3: c; 4: d'],
    ['both', undefined],
    ['the first thing that I saw', undefined],
    ['option 2 is wrong', undefined],
    ['option 2 fails', undefined],
    ["option 2 doesn't work", undefined],
    ['option 2 is not bad, but slow', undefined],
    ['option 2, not 3', '2: b'],
    ['option 2, rather than option 3', '2: b'],
    ['option 2, without #3', '2: b'],
    ['option 2, or 3', undefined],
    ['option 2, 3?', undefined],
    ['option 2?', undefined],
    ['can you do option 2?', '2: b'],
    ['use 2, ok?', '2: b'],
    ['1. yes\n2. no', undefined],
    ['1) yes, 2) no', undefined],
    ['2, no wait, 3', '3: c'],
    ['2, no wait', undefined],
    ['2. Hmm, not 2 but 4', '4: d'],
    ['2. Actually, not 2, but  1', '1: a'],
    ['2, oh, I mean 1', '1: a'],
    ['2, sorry!', undefined],
    ['never mind, 3', '3: c'],
    ['scratch that: 1', '1: a'],
    ['2, actually the tests are red', '2: b'],
  ])('%j', (words, wanted) => {
    expect(chosen(words)).toBe(wanted);
  });

  it.each([
    ['A', 'A: a'],
    ['b)', 'B: b'],
    ['B) and write a test', 'B: b'],
    ['option c', 'C: c'],
    ['a-c', 'A: a; B: b; C: c'],
    ['a) yes b) no', undefined],
    ["I'd go with B, definitely", 'B: b'],
    ['D', undefined],
    ['both', undefined],
  ])('%j of letters', (words, wanted) => {
    expect(chosen(words, lettered)).toBe(wanted);
  });

  it('both are two of two', () => {
    expect(chosen('both', of(2))).toBe('1: a; 2: b');
    expect(chosen('both of them, please', of(2))).toBe('1: a; 2: b');
  });

  it('nothing in more than 300 characters', () => {
    expect(chosen(`2, ${'x'.repeat(297)}`)).toBe('2: b');
    expect(chosen(`2, ${'x'.repeat(298)}`)).toBeUndefined();
  });

  it('a plain yes or no answers a question and nothing else', () => {
    const asks: Offer = { asked: 'Should I?', options: [] };
    for (const words of [
      'yes',
      'no',
      'Yes, please!',
      'ok then',
      'go ahead, thanks.',
      'yep, do it now',
      "don't",
      'sí',
    ])
      expect(answerTo(asks, words)).toEqual({ asked: 'Should I?' });
    for (const words of ['yes but first the tests', 'yesterday', 'nothing', 'maybe', ''])
      expect(answerTo(asks, words)).toBeUndefined();
    expect(answerTo({ asked: 'Pick one:', options: [] }, 'yes')).toBeUndefined();
  });
});
