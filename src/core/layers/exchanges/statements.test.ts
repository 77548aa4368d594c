import { describe, expect, it } from 'vitest';
import { negates, wishOf } from '../facts/polarity.ts';
import { CANDIDATE, OUTRIGHT, scoreOf, statementsIn } from './statements.ts';

const said = (text: string) => scoreOf(text).score;

describe('a statement', () => {
  it.each([
    'Remember that prices are kept in cents.',
    'remember: the staging server is read-only',
    'From now on, use tabs.',
    'Always run the linter before you commit.',
    'please never push to main',
    'Can you always add a test with a fix?',
    'Going forward we write docs in English.',
    'Merke dir, dass Preise in Cent sind.',
    'Ab jetzt bitte immer den Linter laufen lassen.',
    'Verwende immer Tabs in diesem Projekt.',
    '今後はタブを使ってください。',
    '必ずテストを書いてください。',
    '从现在开始使用制表符缩进。',
    '请记住价格以分为单位。',
    '앞으로는 탭을 사용해 주세요.',
    '항상 테스트를 작성해 주세요.',
  ])('is stored at once: %s', (text) => {
    expect(said(text)).toBeGreaterThanOrEqual(OUTRIGHT);
  });

  it.each([
    "don't amend commits, it breaks the hooks",
    'prefer small functions',
    'We use go-git here, not the git command.',
    'Stop adding comments to every line.',
    'Keep in mind that the page has to load without a session.',
    'Also, keep in mind the plan that we wrote for the shop.',
    'テストを消さないで、使わないでください。',
    '不要修改生成的文件。',
    '커밋을 수정하지 마세요.',
  ])('waits until it comes again: %s', (text) => {
    expect(said(text)).toBeGreaterThanOrEqual(CANDIDATE);
    expect(said(text)).toBeLessThan(OUTRIGHT);
  });

  it.each([
    'I remember when this was simple.',
    'Do you remember the old header?',
    'It always fails on Mondays.',
    'Should we always run the linter?',
    "Don't push yet.",
    'For now always use the mock.',
    "don't worry about the tests",
    "I don't remember which error it was.",
    'Vorerst keine Tests schreiben.',
    '今はテストを書かないでください。',
    '暂时不要提交。',
    '지금은 커밋하지 마세요.',
    'The function is never called anywhere.',
    "In the future, I'd like to add a login and a page for it.",
    'effort — never block" comment, but it hides that the hook is broken.',
    'Then, remember our feedback to make the next proposal better.',
    '2026-02-12T10:29:15 [wingman] always on',
  ])('is not meant to last: %s', (text) => {
    expect(said(text)).toBeLessThan(CANDIDATE);
  });

  it('may point at the sentence before it', () => {
    const found = statementsIn('Prices are kept in cents. Please remember this.', 7);
    expect(found).toEqual([
      { text: 'Prices are kept in cents.', kind: 'rule', score: 1.1, src: 7, sentence: 1 },
    ]);
  });

  it('waits where it is an item of one task, or the end of a long message', () => {
    const task =
      'Handle errors like this:\n1. print nothing twice\n2. if it fails, always exit with 1\n3. else go on';
    expect(statementsIn(task, 0)[0]?.score).toBeLessThan(OUTRIGHT);
    const rules = 'These are our rules:\n- always exit with 1\n- never print twice';
    expect(statementsIn(rules, 0).map(({ score }) => score)).toEqual([1, 1]);
    const paste = `Put this into the prompt.\n${'You are a helpful cook for two people.\n'.repeat(40)}Always prefer beans.`;
    expect(statementsIn(paste, 0)[0]?.score).toBeLessThan(OUTRIGHT);
  });

  it('is not looked for in what another program put into the message, nor inside a long paste', () => {
    expect(statementsIn('Implement the following plan:\n\nAlways use tabs.', 0)).toEqual([]);
    expect(statementsIn('"Which one?"="Always use tabs."', 0)).toEqual([]);
    expect(statementsIn('<local-command-stdout>Always use tabs.</local-command-stdout>', 0)).toEqual([]);
    const filler = 'The log says that it went on for a while.\n'.repeat(40);
    expect(statementsIn(`Look at this.\n${filler}Always use tabs.\n${filler}`, 0)).toEqual([]);
    expect(statementsIn(`${filler}Always use tabs.`, 0)).toHaveLength(1);
  });
});

describe('two statements', () => {
  it.each([
    ['Always use tabs.', "Don't use tabs."],
    ['Never amend commits.', 'You can amend commits again.'],
    ['Use tabs for indentation.', 'Use spaces instead of tabs for indentation.'],
    ['Immer Tabs verwenden.', 'Keine Tabs verwenden.'],
  ])('%s and %s are against each other', (a, b) => {
    expect(negates(wishOf(a), wishOf(b))).toBe(true);
  });

  it.each([
    ['Always use tabs.', 'Always use tabs in Makefiles.'],
    ['Never amend commits.', "Don't amend commits."],
    ['Always run the linter.', "Don't show the old logo in the header."],
  ])('%s and %s are not', (a, b) => {
    expect(negates(wishOf(a), wishOf(b))).toBe(false);
  });
});

describe('a quote', () => {
  it.each([
    'The page says "From now on always run the deploy script", odd.',
    'It printed “From now on always run the deploy script. It is needed.” and stopped.',
    'The hook prints `from now on always run the deploy script` each time.',
    'Their README: "never commit to main without a review".',
  ])('demands nothing: %s', (text) => {
    expect(statementsIn(text, 0)).toEqual([]);
  });

  it('stays whole in a rule of the user', () => {
    const text = 'From now on always sign commits with "Reviewed by the shop team".';
    expect(statementsIn(text, 0)).toMatchObject([{ text, kind: 'rule' }]);
  });
});
