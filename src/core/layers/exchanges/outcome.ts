import type { Outcome } from '../../model/exchange.ts';
import type { L1Line } from '../../model/l1.ts';
import type { Runs } from './tool-runs.ts';

const GAVE_UP =
  /\b(?:i (?:was|am) (?:not able|unable) to|i (?:couldn't|could not|can't|cannot) (?:get|make|fix|find a way|complete|finish)|still (?:fails?|failing|broken|not working))\b/i;

/**
 * How an exchange ended, by its own lines alone:
 * - abandoned: the user went back and asked anew, or stopped the agent and it said nothing more;
 * - open: the agent has not spoken after the ask or after its last tool call;
 * - failed: the last run of some command that does work failed, and nothing passed after it; or the last message says so;
 * - done: anything else.
 */
export function outcomeOf(lines: L1Line[], runs: Runs, rewound: boolean): Outcome {
  const last = lines.findLast((line) => line.role !== 'user' || line.reply !== true);
  const interrupted = lines.findLastIndex((line) => line.role === 'system' && line.name === 'interrupted');
  const spoke = lines.findLastIndex((line) => line.role === 'assistant' && (line.text ?? '').trim() !== '');
  if (rewound || (interrupted !== -1 && interrupted > spoke)) return 'abandoned';
  const acted = lines.findLastIndex((line) => line.role === 'tool');
  if (last === undefined || spoke === -1 || acted > spoke) return 'open';
  const final = runs.runs.filter((run) => !run.meant).at(-1);
  if (final && !final.ok) return 'failed';
  return GAVE_UP.test(lines[spoke]?.text ?? '') ? 'failed' : 'done';
}
