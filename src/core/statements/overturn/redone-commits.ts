import type { Quote } from '../../model/statement.ts';
import { type Candidate, quoteOf } from '../candidate.ts';
import { isPassed, type Segment } from '../read/segments.ts';

/** What a command quotes is no command. */
const QUOTED = /<<-?\s*['"]?(\w+)['"]?[\s\S]*?\n\1\b|"(?:[^"\\]|\\.)*"|'[^']*'/g;
const COMMITS = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;
const RESET = /\bgit\s+reset\s+(?:--(?:soft|mixed|hard|keep)\s+)?(?:HEAD|@)(\^+|~\d*)(?!\S)/;
const AMENDS = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b[^|;&\n]*\s--amend\b/;
const SAME_TEXT = /\s--no-edit\b/;

/** Commits of a session that were reset, amended or repeated, each with its replacement. */
export function redoneCommits(
  candidates: Candidate[],
  segments: Segment[],
): { commit: Candidate; by: Quote[] }[] {
  const pieces = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.foundBy !== 'commit') continue;
    const { line } = candidate.words.quotes[0]!;
    pieces.set(line, [...(pieces.get(line) ?? []), candidate]);
  }
  if (pieces.size === 0) return [];
  const redone: { commit: Candidate; by: Quote[] }[] = [];
  let made: { line: number; subject: string }[] = [];
  const drop = (lines: number[], by: Quote[]) => {
    for (const line of lines) for (const commit of pieces.get(line) ?? []) redone.push({ commit, by });
    made = made.filter(({ line }) => !lines.includes(line));
  };
  for (const call of segments.flatMap(({ calls }) => calls)) {
    const command = call.line.name === 'Bash' && isPassed(call) ? (call.line.target ?? '') : '';
    const plain = command.replace(QUOTED, '""');
    const back = RESET.exec(plain);
    const whole = () => [quoteOf(call, 'target', { from: 0, to: Math.min(command.length, LONGEST) })];
    const steps = back ? stepsOf(back[1]!) : 0;
    if (steps > 0)
      drop(
        made.slice(-steps).map(({ line }) => line),
        whole(),
      );
    const own = pieces.get(call.at);
    const isAmended = AMENDS.test(plain);
    if (!own) {
      // Says nothing, and is one of the commits that a reset removes.
      if (COMMITS.test(plain) && !isAmended) made.push({ line: call.at, subject: '' });
      continue;
    }
    const subject = subjectOf(own[0]!);
    const amended = isAmended && !SAME_TEXT.test(plain) ? made.slice(-1) : [];
    const again = made.filter((one) => one.subject === subject);
    drop(
      [...amended, ...again].map(({ line }) => line),
      own[0]!.words.quotes.slice(0, 1),
    );
    made.push({ line: call.at, subject });
  }
  return redone;
}

const LONGEST = 300;

function stepsOf(sign: string): number {
  return sign.startsWith('~') ? Number(sign.slice(1) || 1) : sign.length;
}

function subjectOf({ words }: Candidate): string {
  return words.text.split(' — ')[0]!.toLowerCase();
}
