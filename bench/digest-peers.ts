// Baselines for compression: head, tail, random lines, and the end of the conversation.
import type { Turn } from '../src/core/compress/turn.ts';
import type { TokenCounter } from '../src/core/text/tokens.ts';

/** The whole text of the turns, including tool inputs and outputs. */
export function wholeText(turns: Turn[]): string {
  return turns.map(turnText).join('\n\n');
}

export type Peer = (turns: Turn[], budget: number, count: TokenCounter) => string;

export const PEERS: Record<string, Peer> = {
  head: (turns, budget, count) => upTo(linesOf(turns), budget, count).join('\n'),
  tail: (turns, budget, count) => upTo(linesOf(turns).reverse(), budget, count).reverse().join('\n'),
  'random lines': (turns, budget, count) => {
    const lines = linesOf(turns).map((line, index) => ({ line, index }));
    const drawn = upTo(shuffled(lines), budget, (one) => count(one.line));
    return drawn
      .sort((a, b) => a.index - b.index)
      .map(({ line }) => line)
      .join('\n');
  },
  'conversation only, head': (turns, budget, count) => upTo(linesOf(said(turns)), budget, count).join('\n'),
  'conversation only, tail': (turns, budget, count) =>
    upTo(linesOf(said(turns)).reverse(), budget, count)
      .reverse()
      .join('\n'),
};

function said(turns: Turn[]): Turn[] {
  return turns.filter(({ line }) => line.role === 'user' || line.role === 'assistant');
}

function linesOf(turns: Turn[]): string[] {
  return wholeText(turns).split('\n');
}

function turnText({ line, detail }: Turn): string {
  if (line.role !== 'tool') return `${line.role}: ${line.text ?? ''}`;
  return `${line.name} ${JSON.stringify(detail?.input ?? line.target ?? '')}\n${detail?.output ?? line.result ?? ''}`;
}

function upTo<Item>(items: Item[], budget: number, cost: (item: Item) => number): Item[] {
  const taken: Item[] = [];
  let left = budget;
  for (const item of items) {
    const tokens = cost(item);
    if (tokens > left) {
      // Skips a line that is too long instead of ending the digest.
      if (left < budget / 50) break;
      continue;
    }
    left -= tokens;
    taken.push(item);
  }
  return taken;
}

/** Deterministic pseudo-random numbers (linear congruential). */
function shuffled<Item>(items: Item[]): Item[] {
  const mixed = [...items];
  let seed = 12345;
  for (let i = mixed.length - 1; i > 0; i--) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const other = seed % (i + 1);
    [mixed[i], mixed[other]] = [mixed[other]!, mixed[i]!];
  }
  return mixed;
}
