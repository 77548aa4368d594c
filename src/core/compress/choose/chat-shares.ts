import { Heap } from '../../text/heap.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';

/** A message that may be included: its chat, its tokens, ln of its quality. */
export type ChatMessage = { chat: number; tokens: number; quality: number };

/** Tokens for each chat, its heading included, so that the best messages of all of them fit together. */
export function chatShares(
  messages: readonly ChatMessage[],
  headings: readonly number[],
  budget: number,
): number[] {
  const shares = headings.map(() => 0);
  const inChat = headings.map((): number[] => []);
  const { costBase, costPower } = COMPRESS_WEIGHTS;
  const costOf = ({ chat, tokens }: ChatMessage) => tokens + (shares[chat] === 0 ? headings[chat]! : 0);
  const gain = (at: number) =>
    Math.fround(Math.exp(messages[at]!.quality) / (costOf(messages[at]!) + costBase) ** costPower);
  const heap = new Heap();
  messages.forEach(({ chat }, at) => {
    inChat[chat]!.push(at);
    heap.push(at, gain(at));
  });
  const taken = new Set<number>();
  let left = budget;
  for (let at = heap.pop(); at !== undefined; at = heap.pop()) {
    const message = messages[at]!;
    const cost = costOf(message);
    if (taken.has(at) || cost > left) continue;
    taken.add(at);
    const opens = shares[message.chat] === 0;
    shares[message.chat]! += cost;
    left -= cost;
    // Its heading is paid: the others of this chat cost less now.
    if (opens)
      for (const other of inChat[message.chat]!) if (!taken.has(other)) heap.push(other, gain(other));
  }
  return shares;
}
