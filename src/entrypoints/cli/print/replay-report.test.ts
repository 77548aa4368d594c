import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { ReplayCase } from '../../../core/replay/replay-case.ts';
import type { Console } from '../console.ts';
import { styleFor } from '../terminal/style.ts';
import { textWidth } from '../terminal/text-width.ts';
import { caseLines } from './replay-report.ts';

const clock = { now: () => '', millis: () => 0, local: (time: string) => time };
const console = { style: styleFor(true), width: 60 } as Console;
const place = {
  project: 'p',
  session: 's1',
  exchange: '',
  src: 1,
  ts: '2026-01-05',
  text: 'the price is '.repeat(9),
};
const one: ReplayCase = {
  id: 'rc_1',
  kind: 'contradicted',
  title: 'Memory would have said what had been taken back, without saying so.',
  before: place,
  again: place,
  said: { on: 'start', text: 'x', to: { project: 'p', session: 'got00001', ts: '2026-01-06' } },
  value: 1,
};

test('a colored title fills the line and closes its color', () => {
  const [, title = ''] = caseLines(one, 1, clock, console);
  const plain = stripVTControlCharacters(title);
  expect(textWidth(plain)).toBeGreaterThan(54);
  expect(textWidth(plain)).toBeLessThanOrEqual(60);
  expect(title.endsWith('…\u001b[22m')).toBe(true);
});

test('a bad case names the session that would have got the text', () => {
  const text = caseLines(one, 1, clock, console).map(stripVTControlCharacters).join('\n');
  expect(text).toContain('said to  2026-01-06  keepsake show got00001 at its start');
});
