import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { loadTokenCounter, TOKEN_COUNTER } from '../src/core/text/tokens.ts';

type Block = { type?: string; text?: string; name?: string; input?: unknown; content?: string | Block[] };
type Usage = Record<
  'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens',
  number | undefined
>;
type Line = {
  type?: string;
  subtype?: string;
  uuid?: string;
  isSidechain?: boolean;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  message?: { id?: string; usage?: Usage; content?: string | Block[] };
};
/** A request, and what was added to the context before the next one. */
type Request = { input: number; added: string[]; blocks: number; thinking: boolean; spoiled: boolean };
type Pair = { real: number; text: string; blocks: number; thinking: boolean };

/**
 * `npm run bench -- tokens DIR`: our count beside the `usage` that transcripts record. From one request of a session to
 * the next the input grows by what was added between: the first answer's text and tool calls, the tool results and what
 * the user said. Thinking is not counted, as in a session's own figure. `output_tokens` are placeholders there.
 */
export async function run([folder]: string[]): Promise<void> {
  if (folder === undefined) {
    console.error(
      'Missing folder of transcripts. Usage: npm run bench -- tokens DIR (a folder of .jsonl files)',
    );
    process.exitCode = 2;
    return;
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  );
  const pairs = files.flatMap((file) => pairsOf(requestsOf(readFileSync(join(folder, file), 'utf8'))));
  const count = await loadTokenCounter();
  const from = performance.now();
  const counted = pairs.map(({ text }) => count(text));
  const ms = performance.now() - from;
  const chars = pairs.reduce((sum, { text }) => sum + text.length, 0);

  console.log(
    `${files.length} files, ${pairs.length} pairs of requests; counter ${TOKEN_COUNTER}; counted / real:`,
  );
  const row = (keep: (pair: Pair) => boolean) => {
    const kept = pairs.map((pair, i) => ({ ...pair, counted: counted[i]! })).filter(keep);
    const total = (pick: (pair: (typeof kept)[number]) => number) =>
      kept.reduce((sum, pair) => sum + pick(pair), 0);
    const together = (total((pair) => pair.counted) / total((pair) => pair.real)).toFixed(2);
    return { pairs: kept.length, ...quantiles(kept.map((pair) => pair.counted / pair.real)), together };
  };
  console.table({
    'all requests': row(() => true),
    'that grew by 1,000 tokens or more': row(({ real }) => real >= 1_000),
    'without thinking': row(({ thinking }) => !thinking),
  });
  const overheads = pairs.map((pair, i) => (pair.real - counted[i]!) / Math.max(1, pair.blocks));
  console.log('tokens missing per block:', quantiles(overheads));
  const long = pairs
    .map(({ text }, i) => [estimateTokens(text), counted[i]!] as const)
    .filter(([, n]) => n >= 100);
  console.log('estimate / counted, from 100 tokens:', quantiles(long.map(([guess, n]) => guess / n)));
  console.log(`${(chars / 1e3 / ms).toFixed(1)} MB/s over ${(chars / 1e6).toFixed(1)} MB`);
}

/** The requests of the main chain, in file order. */
function requestsOf(text: string): Request[] {
  const requests: Request[] = [];
  const seen = new Set<string>();
  let messageId: string | undefined;
  for (const raw of text.split('\n')) {
    const line = parse(raw);
    if (!line || line.isSidechain || (line.uuid !== undefined && seen.has(line.uuid))) continue;
    if (line.uuid !== undefined) seen.add(line.uuid);
    const { message } = line;
    const last = requests.at(-1);
    if (line.type === 'assistant' && message?.usage) {
      if (message.id !== messageId) {
        requests.push({
          input: inputOf(message.usage),
          added: [],
          blocks: 0,
          thinking: false,
          spoiled: false,
        });
      }
      messageId = message.id;
      take(requests.at(-1)!, message.content);
    } else if (last && line.type === 'user' && !line.isMeta && !line.isCompactSummary)
      take(last, message?.content);
    // Compactions, and what the client sends in another form than it writes.
    else if (
      last &&
      (line.subtype === 'compact_boundary' || line.type === 'user' || line.type === 'attachment')
    ) {
      last.spoiled = true;
    }
  }
  return requests;
}

function take(request: Request, content: string | Block[] | undefined): void {
  if (typeof content === 'string') {
    request.added.push(content);
    request.blocks++;
    return;
  }
  for (const block of content ?? []) {
    if (block.type === 'text') take(request, block.text);
    else if (block.type === 'tool_use') take(request, `${block.name} ${JSON.stringify(block.input)}`);
    else if (block.type === 'tool_result') take(request, block.content);
    else if (block.type === 'thinking' || block.type === 'redacted_thinking') request.thinking = true;
    // Images cost tokens that are not in the text.
    else request.spoiled = true;
  }
}

/** Skips pairs with a compaction or an image between them, with less input than before, or with growth too small to measure. */
function pairsOf(requests: Request[]): Pair[] {
  const pairs: Pair[] = [];
  for (let i = 1; i < requests.length; i++) {
    const { input, added, blocks, thinking, spoiled } = requests[i - 1]!;
    const real = requests[i]!.input - input;
    if (!spoiled && input > 0 && real >= 50) pairs.push({ real, text: added.join('\n'), blocks, thinking });
  }
  return pairs;
}

function inputOf(usage: Usage): number {
  const parts = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
}

function parse(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

function quantiles(values: number[]): Record<'p10' | 'median' | 'p90', string> {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2);
  return { p10: at(0.1), median: at(0.5), p90: at(0.9) };
}
