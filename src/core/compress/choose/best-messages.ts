import { Heap } from '../../text/heap.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';

/** A message that may be included: its chat, its tokens, ln of its quality. */
export type ChatMessage = { chat: number; tokens: number; quality: number };

/** The best messages of all chats that fit together, each chat with its heading; the places of these messages. */
export function bestMessages(
  messages: readonly ChatMessage[],
  headings: readonly number[],
  budget: number,
): number[] {
  const open = new Set<number>();
  const inChat = headings.map((): number[] => []);
  const { costBase, costPower } = COMPRESS_WEIGHTS;
  const costOf = ({ chat, tokens }: ChatMessage) => tokens + (open.has(chat) ? 0 : headings[chat]!);
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
    left -= cost;
    if (open.has(message.chat)) continue;
    open.add(message.chat);
    // Its heading is paid: the others of this chat cost less now.
    for (const other of inChat[message.chat]!) if (!taken.has(other)) heap.push(other, gain(other));
  }
  return [...taken];
}
