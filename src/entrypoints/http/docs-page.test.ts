import { expect, test } from 'vitest';
import { z } from 'zod';
import { docsPage } from './docs-page.ts';
import { openApi } from './openapi.ts';
import { route } from './route.ts';

const body = z.strictObject({
  shares: z.record(z.string(), z.number().int().min(1).max(9)),
  name: z
    .string()
    .min(2)
    .max(40)
    .regex(/^[a-z<]+$/),
  pair: z.tuple([z.number(), z.string()]),
  list: z.array(z.boolean()).max(7),
  often: z.number().default(3),
  count: z.number().int(),
});
const made = route({
  method: 'post',
  path: '/api/x',
  about: 'X.',
  body,
  answer: z.object({ ok: z.boolean() }),
  run: async () => ({ ok: true }),
});

test('the reference describes the values: records, tuples, bounds, patterns, defaults', async () => {
  const groups = [{ name: 'g', about: 'G.', routes: [made] }];
  const page = await docsPage(openApi(groups, '1')).text();
  const fields = Object.fromEntries(
    [...page.matchAll(/<li><code>(\w+\??)<\/code> (.*?)<\/li>/g)].map(([, name = '', text = '']) => [
      name,
      text.replace(/<[^>]*>/g, ''),
    ]),
  );
  expect(fields).toMatchObject({
    shares: 'record of integer from 1, to 9',
    name: 'string length from 2, length to 40, like ^[a-z&lt;]+$',
    pair: '[number, string]',
    list: 'list of boolean at most 7',
    'often?': 'number default 3',
    count: 'integer',
  });
});
