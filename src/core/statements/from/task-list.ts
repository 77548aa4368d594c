import { clipped } from '../../text/plain-text.ts';
import { type Candidate, quoteOf } from '../candidate.ts';
import { type CallLine, isCommit, type Segment } from '../read/segments.ts';

const LONGEST = 320;
const LONGEST_TASK = 90;
const MOST = 5;
/** A list that was not changed for this many segments was abandoned. */
const REACH = 1;
const OVER = /^(\d+) (?:completed|deleted|cancelled)\b/;

/** What the agent's own list of tasks has left at the end. */
export function fromTaskList(segments: Segment[]): Candidate[] {
  const calls = segments.flatMap((segment) =>
    segment.calls.map((call) => ({ call, segment: segment.index, name: call.line.name })),
  );
  const made = calls.filter(({ name }) => name === 'TaskCreate');
  const last = calls.findLast(({ name }) => name === 'TaskCreate' || name === 'TaskUpdate');
  if (
    !last ||
    last.segment < segments.length - REACH ||
    isStale(calls, last, segments.at(-1)?.replies.length ?? 0)
  )
    return [];
  const over = new Set(
    calls.flatMap(({ name, call }) =>
      name === 'TaskUpdate' ? (OVER.exec(call.line.target ?? '')?.[1] ?? []) : [],
    ),
  );
  const open = made.filter((_, at) => !over.has(String(at + 1))).map(({ call }) => call);
  // All of them undone says that they were never ticked off.
  if (open.length === 0 || open.length === made.length) return [];
  const listed = open.slice(0, MOST);
  return [
    {
      foundBy: 'open-end',
      author: 'assistant',
      kind: 'open',
      segment: segments.length - 1,
      features: new Set(),
      outcomeFeatures: new Set(),
      score: 1,
      label: `Still pending in the task list (${open.length} of ${made.length}): `,
      words: {
        text: clipped(listed.map((call) => clipped(taskOf(call), LONGEST_TASK)).join('; '), LONGEST),
        quotes: listed.map((call) => quoteOf(call, 'target', { from: 0, to: taskOf(call).length })),
      },
      overturned: [],
    },
  ];
}

type Placed = { call: CallLine; segment: number };

/** Work that was committed after the list was touched for the last time is not ticked off in it. */
function isStale(calls: Placed[], last: Placed, replies: number): boolean {
  // Nothing was said after it: the agent was still ticking off.
  return (
    last.call.replies >= replies || calls.slice(calls.indexOf(last) + 1).some(({ call }) => isCommit(call))
  );
}

function taskOf({ line }: CallLine): string {
  return (line.target ?? '').replace(/\s*…$/, '');
}
