import { z } from 'zod';

const int = z.number().int();

/** What models took. */
export const spent = { calls: int, input: int, output: int, usd: z.number() };
