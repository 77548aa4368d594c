import { expect, test } from 'vitest';
import { leadOfJob } from './job-lead.ts';

test('work that ended leads to the view that shows what it came to', () => {
  const job = { jobId: 'j1', subject: '' };
  expect(leadOfJob({ ...job, kind: 'plan purge' })).toEqual({
    name: 'care',
    query: { tab: 'purge', look: 'j1' },
  });
  expect(leadOfJob({ ...job, kind: 'compress', subject: 'shop/one' })).toEqual({
    name: 'session',
    params: { projectId: 'shop', sessionId: 'one', tab: 'versions' },
  });
  expect(leadOfJob({ ...job, kind: 'compress', subject: 'one' })).toBeUndefined();
  expect(leadOfJob({ ...job, kind: 'sync' })).toBeUndefined();
});
