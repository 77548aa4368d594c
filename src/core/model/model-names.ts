/** USD for a million tokens. */
export type Price = { input: number; output: number };

/** The short names, as of October 2026. The one table: newer names are added here. */
const NAMES = new Map([
  ['opus', 'claude-opus-5-5'],
  ['sonnet', 'claude-sonnet-5-5'],
  ['haiku', 'claude-haiku-5-5'],
]);

/** List prices by how an id begins, the longest beginning first. Where a family's prices differ, the highest. */
const PRICES: readonly [begin: string, price: Price][] = [
  ['claude-haiku-5-5', { input: 0.1, output: 0.5 }],
  ['claude-sonnet-5', { input: 2, output: 10 }],
  ['claude-opus-5-5', { input: 4, output: 20 }],
  ['claude-opus-5', { input: 5, output: 25 }],
  ['claude-fable-5', { input: 10, output: 50 }],
  ['claude-haiku-4-5', { input: 1, output: 5 }],
  ['claude-sonnet-4', { input: 3, output: 15 }],
  ['claude-opus-4', { input: 15, output: 75 }],
];

/** The id that a name represents; anything else is an id itself. */
export function modelId(name: string): string {
  return NAMES.get(name.trim().toLowerCase()) ?? name.trim();
}

/** Whether a model is one of Anthropic's. */
export function isClaude(id: string): boolean {
  return /^claude-/i.test(id);
}

/** Undefined where nobody wrote it down. */
export function listPrice(id: string): Price | undefined {
  return PRICES.find(([begin]) => id.toLowerCase().startsWith(begin))?.[1];
}

/** `2/10`: USD for a million tokens in and out. */
export function readPrice(text: string): Price | undefined {
  const [, input, output] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  return input === undefined || output === undefined
    ? undefined
    : { input: Number(input), output: Number(output) };
}

/** USD. */
export function costOf(price: Price, tokens: { input: number; output: number }): number {
  return (tokens.input * price.input + tokens.output * price.output) / 1_000_000;
}

export const MODEL_NAMES: readonly string[] = [...NAMES.keys()];
