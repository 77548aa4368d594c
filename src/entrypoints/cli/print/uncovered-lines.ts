import type { Uncovered } from '../../../app/compress/delta.ts';
import { count, plural } from '../terminal/quantities.ts';

/** What no part of a session holds, and how to include it. `waitingFor`: the command that takes `--force`. */
export function uncoveredLines(
  { newMessages, newTokens, waiting, waitingTokens, waitingReason }: Uncovered,
  session: string,
  waitingFor: string,
): string[] {
  const lines: string[] = [];
  if (newMessages + newTokens > 0)
    lines.push(
      `Not in any part yet: ${plural(newMessages, 'message')}, ${count(newTokens)} tokens. Compress them: keepsake delta ${session} --compress`,
    );
  if (waitingReason)
    lines.push(
      `Waiting: ${plural(waiting, 'message')}, ${count(waitingTokens)} tokens. ${waitingReason} Include them now: ${waitingFor} --force`,
    );
  return lines;
}
