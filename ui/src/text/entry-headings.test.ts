import { expect, test } from 'vitest';
import { withEntryTitles } from './entry-headings.ts';
import { momentText } from './times.ts';

const titles = new Map([['847ff7d2', 'Fix `lint` *now*']]);
const shown = (text: string) => withEntryTitles(text, (session) => titles.get(session));
const WHEN = momentText('2026-01-05T16:12:00Z');

test('an entry is called by the title of its session, with its time below', () => {
  const text = '# Memory\n\n## 2026-01-05_1612 (local 01-05_1712) session 847ff7d2 lines 1-186\n- asked: why';
  expect(shown(text)).toBe(
    `# Memory\n\n## Fix \\\`lint\\\` \\*now\\*\n\n${WHEN}, lines 1 to 186 of the session\n\n- asked: why`,
  );
});

test('of a session that is not known, and of an entry without one, the time is left', () => {
  expect(shown('## 2026-01-05_1612 (local 01-05_1712) session 00000000 lines 1-2')).toBe(
    `## ${WHEN}, lines 1 to 2 of the session`,
  );
  expect(shown('## 2026-01-05_1612 (local 01-05_1712)')).toBe(`## ${WHEN}`);
});

test('every other line stays as it is', () => {
  const text = '## 2026-01-05 plans\n## Notes\n- ## 2026-01-05_1612\n';
  expect(shown(text)).toBe(text);
});
