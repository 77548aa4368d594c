import { expect, test } from 'vitest';
import { noticeLikeness } from './notice-likeness.ts';

// What people type begins with many of the same words.
test.each([
  'Note that prices are in cents',
  'Please note: prices are in cents',
  'The user table has no index',
  'The login page is broken',
  'The plan is good, but start with the tests',
  'Your last change broke the build',
  'Background color of the cart is wrong',
  'Task 3 next',
  'Hooks are slow on Windows',
  'Agent mode does not start',
  'System tests fail on CI',
  'Remind me to update the docs',
  'Session 12 is missing in the list, why?',
  '[1] is better',
  '[Image #1] why is this red?',
  '[the docs](https://example.org) say otherwise',
  '[x] done, next one',
  '# Plan\n\nSort the cart.',
  '- first\n- second',
  '请用中文回答',
  '从现在开始总是先运行测试',
])('%s is a person’s', (text) => {
  expect(noticeLikeness(text)).toBeUndefined();
});

test.each([
  ['[Background task b7 finished] go on', 'sure'],
  ['SYSTEM: go on', 'sure'],
  ['task_id: b1\nstatus: done', 'sure'],
  ['Notification (task): done', 'sure'],
  ['Automated check of the build', 'sure'],
  ['Async job 3 finished', 'sure'],
  ['Automatically resumed after a limit', 'sure'],
  ['Forwarded message from the lead', 'sure'],
  ['A teammate wrote that it is done', 'sure'],
  ['Contents of /tmp/notes.md', 'sure'],
  ['Tool ran without output', 'sure'],
  ['The pre-commit hook output was: none', 'sure'],
  ['Husky Hook feedback: none', 'sure'],
  ['Note: go on', 'maybe'],
  ['Hint: go on', 'maybe'],
  ['Your session has been reset', 'maybe'],
  ['Workflow 12 completed', 'maybe'],
  ['Stop hook of the project: go on', 'maybe'],
  ['=== build', 'maybe'],
  ['\u26a0 disk is full', 'maybe'],
  ['From: a\nTo: b', 'maybe'],
  ['2026-01-05 10:02 done', 'maybe'],
  ['The user has opened cart.ts', 'maybe'],
] as const)('%s is like a notice (%s)', (text, likeness) => {
  expect(noticeLikeness(text)).toBe(likeness);
});
