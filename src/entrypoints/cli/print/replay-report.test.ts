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
  title: 'Memory would have shown something already withdrawn, without saying so.',
  before: place,
  again: place,
  said: { on: 'start', text: 'x', to: { project: 'p', session: 'got00001', ts: '2026-01-06' } },
  value: 1,
};

test('a colored title is whole, on as many lines as it needs, and each closes its color', () => {
  const lines = caseLines(one, 1, clock, console);
  const title = lines.slice(1).filter((line) => line.includes('\u001b[1m'));
  expect(title.length).toBeGreaterThan(1);
  for (const line of title) {
    expect(textWidth(stripVTControlCharacters(line))).toBeLessThanOrEqual(60);
    expect(line.endsWith('\u001b[22m')).toBe(true);
  }
  const words = title.map((line) => stripVTControlCharacters(line).trim()).join(' ');
  expect(words).toBe(`1  ${one.title}`);
});

test('a bad case names the session that would have got the text', () => {
  const text = caseLines(one, 1, clock, console).map(stripVTControlCharacters).join(' ');
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Memory would have shown this to the session of 2026-01-06 at its start: keepsake show got00001',
  );
});
