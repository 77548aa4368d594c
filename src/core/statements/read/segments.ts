import type { L1Line } from '../../model/l1.ts';

/** Words of the user: a message, an answer to a question, why a call was refused, a plan that was accepted. */
export type Said = { kind: 'words' | 'answer' | 'refusal' | 'plan'; line: L1Line; at: number; text: string };
/** A message of the agent, and how many calls came before it in its segment. */
export type Reply = { line: L1Line; at: number; text: string };
export type CallLine = { line: L1Line; at: number; replies: number };

/** What the user said at one point, and all that followed up to the next words of theirs. */
export type Segment = {
  index: number;
  said: Said[];
  replies: Reply[];
  calls: CallLine[];
  /** The agent's last message before it, with its place. */
  before?: Reply;
  /** The user stopped the agent in it. */
  stopped: boolean;
};

const AGAIN = 60;

/** The segments of a session; what the user went back from and asked again is left out. */
export function segmentsOf(lines: L1Line[]): Segment[] {
  const gone = abandoned(lines);
  const segments: Segment[] = [];
  let current: Segment | undefined;
  let before: Reply | undefined;
  const open = (said: Said[]): Segment => {
    before = current?.replies.at(-1) ?? before;
    const made: Segment = { index: segments.length, said, replies: [], calls: [], stopped: false };
    if (before) made.before = before;
    segments.push(made);
    current = made;
    return made;
  };
  lines.forEach((line, index) => {
    if (gone(line.src)) return;
    const at = index + 1;
    const said = saidIn(line, at);
    // Words that nobody is known to have typed end what was being worked on, and say nothing themselves.
    if (line.unproven) {
      open([]);
      return;
    }
    if (said) {
      if (current && joins(current, said)) return;
      if (current?.stopped && isAgain(current, said)) current.said = [];
      open([said]);
      return;
    }
    if (line.role === 'system' && line.name === 'interrupted' && current) current.stopped = true;
    if (line.role === 'assistant' && line.text?.trim())
      (current ?? open([])).replies.push({ line, at, text: line.text });
    else if (line.role === 'tool') {
      const segment = current ?? open([]);
      segment.calls.push({ line, at, replies: segment.replies.length });
    }
  });
  return segments;
}

function saidIn(line: L1Line, at: number): Said | undefined {
  if (line.role === 'tool')
    return line.name === 'ExitPlanMode' && line.text && line.result === undefined
      ? { kind: 'plan', line, at, text: line.text }
      : undefined;
  if (line.role !== 'user' || line.aside || line.sent !== undefined || !line.text?.trim()) return undefined;
  const kind = !line.reply ? 'words' : line.asked === undefined ? 'refusal' : 'answer';
  return { kind, line, at, text: line.text };
}

/** Said while nothing was answered yet: the same words again replace the first ones. */
function joins({ said, replies, calls }: Segment, next: Said): boolean {
  const last = said.at(-1);
  if (replies.length > 0 || calls.length > 0 || next.kind !== 'words' || last?.kind !== 'words') return false;
  if (startsAlike(last.text, next.text)) said[said.length - 1] = next;
  else said.push(next);
  return true;
}

/** The user stopped the agent and sent the same prompt again, perhaps with more in it. */
function isAgain({ said }: Segment, next: Said): boolean {
  return said.length > 0 && said.every(({ text }) => startsAlike(text, next.text));
}

function startsAlike(first: string, again: string): boolean {
  return again.startsWith(first.slice(0, AGAIN));
}

/** Whether the user went back to before this byte later on. */
function abandoned(lines: L1Line[]): (src: number) => boolean {
  const stretches = lines.flatMap(({ replaces, src }) => (replaces === undefined ? [] : [[replaces, src]]));
  if (stretches.length === 0) return () => false;
  stretches.sort((a, b) => a[0]! - b[0]!);
  const ends: [from: number, to: number][] = [];
  for (const [from, to] of stretches as [number, number][]) {
    const last = ends.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else ends.push([from, to]);
  }
  return (src) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]![1] <= src) low = middle + 1;
      else high = middle;
    }
    return low < ends.length && ends[low]![0] <= src;
  };
}

export function isPassed({ line }: CallLine): boolean {
  return line.result === undefined;
}

const EDITS = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;
export function isEdit(call: CallLine): boolean {
  return EDITS.test(call.line.name ?? '') && isPassed(call);
}

const COMMITS = /\bgit\b[^|;&\n]*\bcommit\b|\bgh pr (?:create|edit|merge)\b/;
export function isCommit(call: CallLine): boolean {
  return call.line.name === 'Bash' && COMMITS.test(call.line.target ?? '') && isPassed(call);
}
