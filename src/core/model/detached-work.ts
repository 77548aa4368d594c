/**
 * Work that nobody waits for: hooks put it into a queue, and one process of its own does it. `session-end`: what the end of
 * a session leaves to do. `memory`: record and memory.md of a running session. `retention`: versions that are due.
 * `remote`: what is new goes to the remotes, and what is new there comes. `unread`: sessions that other agents wrote since
 * they were last read; its key says whether Claude Code's are among them.
 */
export const WORK_KINDS = ['session-end', 'memory', 'retention', 'remote', 'unread'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** One entry of the queue, as its file's name says it. */
export type QueuedWork = {
  kind: WorkKind;
  /** Whose work it is, a session's id: of two entries of one kind and key the later one says it all. */
  key: string;
  /** When it was added, in milliseconds, and by whom. */
  added: number;
  by: string;
  /** How often it was begun: more than once only where a process was ended in the middle, or failed. */
  tries: number;
};

/** What an entry holds: the agent's event, and the folder that the agent was started in. */
export type WorkInput = { event: string; started: string };

const NAME = /^([a-z-]+)\.([0-9A-Za-z][\w-]{0,63})\.(\d{1,15})-([0-9a-z]{1,16})\.(\d{1,4})$/;
/** Begun so often at once; later tries wait longer each time, so that what never ends well does not start a process with each hook. */
const AT_ONCE = 4;
const FIRST_WAIT_MS = 10 * 60_000;
const LONGEST_WAIT_MS = 24 * 3_600_000;

export function workFileName({ kind, key, added, by, tries }: QueuedWork): string {
  return `${kind}.${key}.${added}-${by}.${tries}`;
}

/** Undefined for a file that is no entry. */
export function workOfFile(name: string): QueuedWork | undefined {
  const [, kind, key = '', added, by = '', tries] = NAME.exec(name) ?? [];
  const known = WORK_KINDS.find((it) => it === kind);
  return known && { kind: known, key, added: Number(added), by, tries: Number(tries) };
}

/** In the order in which it was added. */
export function inQueueOrder(a: QueuedWork, b: QueuedWork): number {
  return a.added - b.added || (workFileName(a) < workFileName(b) ? -1 : 1);
}

/** `lastMs`: when it was last begun, or added. A clock that was set back delays nothing. */
export function isWorkDue({ tries }: QueuedWork, lastMs: number, nowMs: number): boolean {
  if (tries < AT_ONCE || nowMs < lastMs) return true;
  return nowMs - lastMs >= Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - AT_ONCE));
}

/** All entries that are done when this one is. */
export function sameWork(work: QueuedWork, queue: readonly QueuedWork[]): QueuedWork[] {
  return queue.filter(({ kind, key }) => kind === work.kind && key === work.key);
}
