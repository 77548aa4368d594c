import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { MEMORY_TOOLS } from './memory-tools.ts';

test('the definitions of all tools together stay under 2,200 tokens', async () => {
  const count = await loadTokenCounter();
  const definitions = MEMORY_TOOLS.map(({ name, title, description, input }) => ({
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input),
  }));
  expect(count(JSON.stringify(definitions))).toBeLessThan(2200);
});

test('every tool refuses an argument that it does not know', () => {
  for (const { name, input } of MEMORY_TOOLS) {
    const refused = input.safeParse({ surely_not_known: 1 });
    expect(refused.success, name).toBe(false);
    expect(JSON.stringify(refused.error?.issues), name).toContain('surely_not_known');
  }
});
