import { expect, test } from 'vitest';
import { remoteLineSchema } from './remote-line.ts';

test.each(['withdraw', 'release'])('a time that others go on from is one: %s', (t) => {
  const at = '2026-05-04T03:02:01.000Z';
  const isRead = (mark: string) => remoteLineSchema.safeParse({ t, session: 's1', at, mark }).success;
  expect(['', 'tomorrow', '2026-05-04', at].map(isRead)).toEqual([false, false, false, true]);
});
