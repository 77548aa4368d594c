import { z } from 'zod';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { readCap } from './daily-cap.ts';
import { readPrice } from './model-names.ts';

const d = CONFIG_DEFAULTS.model;
const use = (about: string) => z.boolean().default(false).describe(about);

/** How models are reached and what they are used for. Keys are never here. */
export const modelSettings = z.object({
  service: z
    .enum(['auto', 'anthropic', 'claude', 'openai'])
    .default(d.service)
    .describe(
      'How a model is reached: the Anthropic API (anthropic), the installed claude command (claude), a server that speaks the protocol of OpenAI (openai), or whatever is there (auto).',
    ),
  url: z
    .string()
    .regex(/^(?:https?:\/\/[^\s@]+)?$/i, { message: 'expected a URL such as http://localhost:11434' })
    .default(d.url)
    .describe("The server's address. Empty: the service's own."),
  keyFile: z
    .string()
    .default(d.keyFile)
    .describe(
      'A file that holds the key, readable by you alone. Empty: the environment, or keys/ in the archive.',
    ),
  atOnce: z.number().int().min(1).max(16).default(d.atOnce).describe('Calls to a model at the same time.'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(d.timeoutSeconds)
    .describe('A call that says nothing for so long is given up and tried again.'),
  dailyCap: z
    .string()
    .refine((text) => readCap(text) !== undefined, {
      message: 'expected an amount such as "5 USD", "200000 tokens" or "none"',
    })
    .default(d.dailyCap)
    .describe('What models may take in a day, in USD or tokens. The call that would pass it is not made.'),
  price: z
    .string()
    .refine((text) => text === '' || readPrice(text) !== undefined, {
      message: 'expected USD for a million tokens in and out, such as "2/10"',
    })
    .default(d.price)
    .describe('What a million tokens cost, in and out, as 2/10. Empty: the list price, where it is known.'),
  use: z.object({
    all: use('Whether a model does all of the following.'),
    exchanges: use('Whether a model sums up exchanges.'),
    concepts: use('Whether a model names concepts.'),
    reviews: use('Whether a model looks at facts that were contradicted.'),
    archives: use('Whether a model sums up archives of memory.md.'),
    summaries: use("Whether a model writes the journal's pages."),
    synthesis: use("Whether a model writes the journal's master."),
  }),
});
