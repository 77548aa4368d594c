import type { L1Line } from '../model/l1.ts';
import type { SessionStatement, StatedKind } from '../model/statement.ts';

/** Something said before a compaction that must not get lost by it. */
export type Keepable = {
  kind: 'keepit' | 'rule' | 'open' | 'decision' | 'file' | 'command' | 'project-rule';
  text: string;
  /** UTC; empty if it has no time. */
  ts: string;
  who: 'user' | 'assistant';
};

const MOST_STATED = 24;
const MOST_FILES = 15;
const MOST_DECISIONS = 12;
const MOST_COMMANDS = 8;
const SHORTEST = 12;
const LONGEST = 300;
/** Words by which people settle something. */
const SETTLES =
  /\b(?:let['’]?s (?:use|go with|keep|stick|switch|drop|call|make)|we(?:['’]ll| will| should| must)? (?:use|go with|keep|stick|call|decided|agreed)|(?:i|we) (?:decided|agreed|prefer|want)|decision:|go with|stick (?:with|to)|instead of|rather than|from now on|always|never|(?:don['’]?t|do not|must not|must|should not|shouldn['’]?t) (?:use|touch|change|add|remove|commit|push|delete|edit|call|break|be|have|run))\b/iu;
/** Said of the moment, or only asked. */
const PASSING = /\?\s*$|\b(?:yet|for now|this time|maybe|perhaps|what if|should (?:i|we))\b/iu;
const CHANGES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const CHECKS =
  /\b(?:test|tests|pytest|vitest|jest|mocha|cargo|go (?:test|build|vet)|make|build|lint|tsc|check|migrate|deploy|compose|gradle|mvn|tox|ruff|eslint|biome)\b/u;

const STATED_AS: Record<StatedKind, Keepable['kind']> = {
  rule: 'rule',
  preference: 'rule',
  constraint: 'rule',
  decision: 'decision',
  lesson: 'decision',
  solution: 'decision',
  environment: 'decision',
  open: 'open',
};

/** What is true at the end of some lines, the surest first: rules, decisions, what is still open. */
export function statedIn(statements: readonly SessionStatement[]): Keepable[] {
  const short = statements.filter(({ text }) => text.length <= LONGEST);
  const inOrder = [...short].sort((a, b) => Number(b.tier === 'shown') - Number(a.tier === 'shown'));
  return inOrder.slice(0, MOST_STATED).map(({ kind, text, ts, author }) => ({
    kind: STATED_AS[kind],
    text,
    ts,
    who: author === 'assistant' ? 'assistant' : 'user',
  }));
}

/** Files that were changed, newest first. */
export function changedFiles(lines: L1Line[]): Keepable[] {
  const last = new Map<string, string>();
  for (const { role, name, target, ts } of lines) {
    if (role !== 'tool' || !target || !CHANGES.has(name ?? '')) continue;
    last.delete(target);
    last.set(target, ts);
  }
  return [...last]
    .reverse()
    .slice(0, MOST_FILES)
    .map(([text, ts]) => ({ kind: 'file', text, ts, who: 'assistant' }));
}

/** What the user settled, newest last: sentences of their own words. */
export function decisionsIn(lines: L1Line[]): Keepable[] {
  const found = new Map<string, Keepable>();
  for (const { role, text, ts } of lines) {
    if (role !== 'user' || !text) continue;
    for (const sentence of sentencesOf(text)) {
      if (sentence.length < SHORTEST || sentence.length > LONGEST) continue;
      if (!SETTLES.test(sentence) || PASSING.test(sentence)) continue;
      found.delete(sentence.toLowerCase());
      found.set(sentence.toLowerCase(), { kind: 'decision', text: sentence, ts, who: 'user' });
    }
  }
  return [...found.values()].slice(-MOST_DECISIONS);
}

/** Commands that went well: checks of any kind, and whatever was run more than once. Newest last. */
export function workingCommands(lines: L1Line[]): Keepable[] {
  const runs = new Map<string, { times: number; ok: boolean; ts: string }>();
  for (const { role, name, target, result, ts } of lines) {
    if (role !== 'tool' || name !== 'Bash' || !target) continue;
    const command = target.replace(/\s+/g, ' ').trim();
    if (command.length < 3 || command.length > LONGEST) continue;
    const before = runs.get(command);
    runs.delete(command);
    runs.set(command, { times: (before?.times ?? 0) + 1, ok: result === undefined, ts });
  }
  return [...runs]
    .filter(([command, { times, ok }]) => ok && (times > 1 || CHECKS.test(command)))
    .slice(-MOST_COMMANDS)
    .map(([text, { ts }]) => ({ kind: 'command', text, ts, who: 'assistant' }));
}

/** Code and quotes are left out: what is there is not what the user wants. */
function sentencesOf(text: string): string[] {
  const own = text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^>.*$/gm, '');
  return own.split(/(?<=[.!?])\s+|\n+/u).map((part) => part.replace(/^[\s*•\-\d.)]+/u, '').trim());
}
