import { expect, test } from 'vitest';
import type { SessionRow } from '../../../app/find/sessions.ts';
import type { Console } from '../console.ts';
import { styleFor } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { sessionColumns } from './session-table.ts';

const row = {
  sessionId: '4f2a91c0-aaaa-4aaa-8aaa-000000000001',
  projectName: 'web-shop-backend',
  firstTimestamp: '2026-01-05 10:00',
  lastTimestamp: '2026-01-05 12:00',
  originalMessages: 1234,
  originalTokens: 56_789,
  originalBytes: 1_400_000,
  registered: true,
  keepitMarkers: [{}],
  metadata: { gitBranch: 'feat/a-basket-that-remembers', title: 'Let the basket remember prices in cents' },
} as unknown as SessionRow;
const clock = { now: () => '', millis: () => 0, local: (iso: string) => iso };

function listed(width: number): string[] {
  const style = styleFor(false);
  const columns = sessionColumns([row], [row.sessionId], clock, { style, width } as Console);
  return table([row], columns, { width, heading: style.dim });
}

test.each([80, 100])('on %i columns title, last and tokens stay; branch and beginning go', (width) => {
  const [heading, line] = listed(width) as [string, string];
  expect(line).toContain('Let the basket remember price');
  expect(heading).toMatch(/project +last +.*tokens +.*title/);
  expect(heading).not.toMatch(/branch|started/);
  expect(line.length).toBeLessThanOrEqual(width);
});

test('with room enough all is there', () => {
  expect(listed(220)[0]).toMatch(/started +last +messages +tokens +size +branch +keepits +title/);
  expect(listed(220)[1]).toContain('feat/a-basket-that-remembers');
});
