import { PerOwner } from '../../text/per-owner.ts';

/** Typed while the agent worked, at this byte of the original. */
export type QueuedText = {
  src: number;
  words: string;
  /** It started an exchange where it was queued. */
  asked?: true;
};

/** How often each text is in a list: most lookups find nothing, and a list may have become long. */
const counts = new PerOwner<QueuedText[], Map<string, number>>();

export function addQueued(
  list: QueuedText[],
  words: string,
  { src, asked }: { src: number; asked?: boolean },
): void {
  const counted = countsOf(list);
  list.push({ src, words, ...(asked ? { asked } : {}) });
  counted.set(words, (counted.get(words) ?? 0) + 1);
}

/** Removes and returns the one with these words. */
export function takeQueued(list: QueuedText[], words: string): QueuedText | undefined {
  const counted = countsOf(list);
  const times = counted.get(words) ?? 0;
  if (times === 0) return undefined;
  counted.set(words, times - 1);
  const isIt = (it: QueuedText) => it.words === words;
  // What comes back mostly came last.
  const [taken] = list.splice(times === 1 ? list.findLastIndex(isIt) : list.findIndex(isIt), 1);
  return taken;
}

function countsOf(list: QueuedText[]): Map<string, number> {
  return counts.of(list, () => {
    const made = new Map<string, number>();
    for (const { words } of list) made.set(words, (made.get(words) ?? 0) + 1);
    return made;
  });
}
