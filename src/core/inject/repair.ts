import type { L1Line } from '../model/l1.ts';
import type { SessionStatement } from '../model/statement.ts';
import { contentWords } from '../text/plain-text.ts';
import { changedFiles, decisionsIn, type Keepable, statedIn, workingCommands } from './keepable.ts';
import { lostIn } from './lost.ts';

/** What matters most comes first. */
const ORDER: readonly Keepable['kind'][] = [
  'keepit',
  'rule',
  'open',
  'decision',
  'file',
  'project-rule',
  'command',
];
/** Two that have this share of their words in common say the same. */
const SAME = 0.8;

/** What of a session's lines a compaction should not lose, besides keepits. */
export function keepableIn(lines: L1Line[], statements: readonly SessionStatement[]): Keepable[] {
  return [
    ...statedIn(statements),
    ...decisionsIn(lines).reverse(),
    ...changedFiles(lines),
    ...workingCommands(lines).reverse(),
  ];
}

/** What a summary lost, each item once, files on one line, in the order of the text. */
export function repairOf(summary: string, before: Keepable[]): Keepable[] {
  const lost = lostIn(summary, before);
  const apart: Keepable[] = [];
  for (const kind of ORDER) {
    const own = lost.filter((one) => one.kind === kind);
    if (kind === 'file' && own[0]) apart.push({ ...own[0], text: own.map(({ text }) => text).join(', ') });
    else for (const one of own) if (!apart.some((other) => isSame(other, one))) apart.push(one);
  }
  return apart;
}

function isSame(a: Keepable, b: Keepable): boolean {
  if (a.kind === 'file' || a.kind === 'command' || b.kind === 'command') return false;
  const [one, other] = [contentWords(a.text), contentWords(b.text)];
  const common = [...one].filter((word) => other.has(word)).length;
  return common > 0 && common >= SAME * Math.min(one.size, other.size);
}
