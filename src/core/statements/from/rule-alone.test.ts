import { expect, test } from 'vitest';
import type { UserUnit } from '../read/segment-units.ts';
import { tieOf, topicOf } from '../read/topic.ts';
import { isRuleAlone } from './rule-alone.ts';

function said(text: string, ...features: string[]): UserUnit {
  const unit = { text, from: 0, to: text.length, item: false, table: false };
  return { ...unit, said: {} as UserUnit['said'], features: new Set(['says:rule', ...features]) };
}

test('a sentence that says how to work from now on needs no other', () => {
  for (const text of [
    'please keep generated files out of the repository',
    'Before writing any code, show me your plan each time.',
    'I do not want to rely on sleeping in integration tests',
    'never open pull requests against release',
    'From now on write commit messages and changelog entries more concise.',
  ])
    expect(isRuleAlone(said(text)), text).toBe(true);
});

test('what bounds one turn, points elsewhere or is one of a task is no rule alone', () => {
  for (const text of [
    "Don't write any code yet, explain the options.",
    'They must stay where they are now, all of them.',
    "let's also add a button to the settings page",
    'Do not add the full name of the customer as well',
    'Deployment speed of the service is less important.',
    'Before you continue, let me point out that all sections start closed.',
  ])
    expect(isRuleAlone(said(text)), text).toBe(false);
  expect(isRuleAlone(said('keep the functions small and testable', 'first'))).toBe(false);
  expect(isRuleAlone({ ...said('keep the functions small and testable'), item: true })).toBe(false);
});

test('a topic is tied by what both name, in any form, and not by words of all work', () => {
  expect(tieOf(topicOf('rename the exporter_config'), topicOf('Renamed: exporters read config.ts'))).toBe(3);
  expect(tieOf(topicOf('fix the test now'), topicOf('The test works now'))).toBe(0);
});
