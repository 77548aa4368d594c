import { expect, test } from 'vitest';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { formatEntry } from '../../core/rolling/entry.ts';
import type { SegmentLine } from './segment-lines.ts';
import { withoutPurged } from './without-purged.ts';

const entry = (session: string) =>
  formatEntry({
    ...{ ts: '2026-01-05T10:00:00.000Z', local: '2026-01-05 10:00', session, lines: [1, 2] },
    body: ['asked: prices in cents'],
  });

function memoryFile(name: string, text: string): SegmentLine[] {
  return [
    { t: 'file', file: { kind: 'memory', name } },
    { t: 'data', text },
    { t: 'eof', bytes: text.length, sha256: '0'.repeat(64) },
  ];
}

const GONE = new Set(['session-first-1']);
const NO_TEXT = new PurgeMask([]);

test('rolling memory without an entry of a purged session is as clean as it can be: it is left alone', () => {
  const clean = memoryFile('memory.md', `# Memory\n\n${entry('session-other-2')}\n`);
  expect(withoutPurged(clean, GONE, NO_TEXT)).toMatchObject({ isChanged: false, lines: clean, lost: [] });
});

test('rolling memory with an entry of a purged session goes, and is to be sealed again', () => {
  const quoting = memoryFile('memory.md', `# Memory\n\n${entry('session-first-1')}\n`);
  const { isChanged, lines, lost } = withoutPurged(quoting, GONE, NO_TEXT);
  expect([isChanged, lines, lost.length]).toEqual([true, [], 1]);
});

test('what was cleaned once is not changed by cleaning it again', () => {
  const lines = [
    ...memoryFile('memory.md', `# Memory\n\n${entry('session-first-1')}\n${entry('session-other-2')}\n`),
    ...memoryFile('memory_20260105_100000.summary.json', '{"overallSummary":"prices in cents"}'),
    ...memoryFile('project.md', '# Project\n\nA shop.\n'),
  ];
  const once = withoutPurged(lines, GONE, NO_TEXT);
  expect(once.isChanged).toBe(true);
  expect(JSON.stringify(once.lines)).not.toContain('cents');
  expect(withoutPurged(once.lines, GONE, NO_TEXT).isChanged).toBe(false);
});
