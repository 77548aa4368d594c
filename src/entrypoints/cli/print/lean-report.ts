import type { LeanReceipt } from '../../../app/compress/lean-session.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';

const SHOWN = 8;
const LONGEST_TARGET = 70;

/** What a copy to resume kept and what went, for a person. */
export function printLean(console: Console, receipt: LeanReceipt): void {
  const { tokens, human, statements, outputs, dropped, sessionId, file } = receipt;
  const cut = outputs.filter(({ why }) => why !== 'whole');
  const verb = sessionId === undefined ? 'would be' : 'made:';
  console.print(
    `${console.style.accent('copy to resume')} ${verb} ${count(tokens.before)} to ${count(tokens.after)} tokens`,
    `  kept: ${count(human.kept)} of ${plural(human.of, 'message')} of the user, ${count(statements.kept)} of ${plural(statements.of, 'statement')}, all answers and tool calls`,
    `  outputs: ${count(outputs.length - cut.length)} whole, ${count(cut.length)} cut or left out; ${plural(dropped.thinking, 'thinking block')} left out`,
  );
  const reasons = new Map<string, number>();
  for (const { why } of cut) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  for (const [why, number] of reasons) console.print(`  ${why}: ${count(number)}`);
  const largest = [...cut].sort((a, b) => b.characters - a.characters);
  for (const { tool, target, characters, why } of largest.slice(0, SHOWN))
    console.print(
      `    ${tool} ${cleanLine(target).slice(0, LONGEST_TARGET)} (${count(characters)} characters, ${why})`,
    );
  if (largest.length > SHOWN)
    console.print(`    and ${count(largest.length - SHOWN)} more; --json lists all`);
  if (file !== undefined) console.print(`  ${console.style.dim(file)}`);
  if (sessionId !== undefined) console.note(`Continue: claude --resume ${sessionId}`);
}
