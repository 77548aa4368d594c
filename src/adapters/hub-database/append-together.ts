import { Fault } from '../../core/model/fault.ts';
import type { Appended } from '../../ports/hub-database.ts';

/** One append: its values, in the order of the statement. */
export type Append = { repo: string; values: readonly unknown[]; bytes: number };
export type AppendAll = (appends: readonly Append[]) => Promise<Appended[]>;

type Waiting = Append & { done: (appended: Appended) => void; failed: (error: unknown) => void };

/** What one transaction takes. */
const MOST_TOGETHER = 32;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Segments that arrive for a repository while its row is locked wait here and are stored together: one lock and one flush for
 * all, acknowledged afterwards. Without a crowd, each is stored alone.
 */
export function appendTogether(appendAll: AppendAll): (append: Append) => Promise<Appended> {
  const waiting = new Map<string, Waiting[]>();
  const storeAll = async (repo: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await store(appendAll, nextOf(queue));
    waiting.delete(repo);
  };
  return (append) =>
    new Promise((done, failed) => {
      const queue = waiting.get(append.repo) ?? [];
      queue.push({ ...append, done, failed });
      if (waiting.has(append.repo)) return;
      waiting.set(append.repo, queue);
      void storeAll(append.repo, queue);
    });
}

function nextOf(queue: Waiting[]): Waiting[] {
  let [count, bytes] = [0, 0];
  for (const it of queue.slice(0, MOST_TOGETHER)) {
    bytes += it.bytes;
    if (count > 0 && bytes > MOST_BYTES) break;
    count++;
  }
  return queue.splice(0, count);
}

async function store(appendAll: AppendAll, batch: readonly Waiting[]): Promise<void> {
  const [stored] = await Promise.allSettled([appendAll(batch)]);
  if (stored.status === 'fulfilled') {
    for (const [at, it] of batch.entries()) it.done(stored.value[at]!);
    return;
  }
  const isPassing = stored.reason instanceof Fault && stored.reason.code === 'busy';
  if (batch.length === 1 || isPassing) for (const it of batch) it.failed(stored.reason);
  // One of them was refused, and with it the transaction: the others must not pay for it.
  else for (const it of batch) await store(appendAll, [it]);
}
