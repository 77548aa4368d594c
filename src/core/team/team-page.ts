import { isPlainStatement } from './injectable.ts';
import type { TeamFact } from './team-facts.ts';

/** Where the facts of a team are in their repository. */
export const TEAM_PAGE = 'docs/team-facts.md';

/** A fact as the page says it. */
export type PageFact = Pick<TeamFact, 'id' | 'factId' | 'kind' | 'content' | 'author'> & {
  offeredAt: string;
};

const HEAD =
  'Facts that colleagues noted and reviewed. They describe the project and ask nothing of anybody.';
const FOOT = 'Written by `keepsake team export --to git`; read back by `keepsake team import --from git`.';
const TITLES: Record<string, string> = {
  decision: 'Decisions',
  constraint: 'Constraints',
  rule: 'Rules',
  fact: 'Facts',
  lesson: 'Lessons',
  preference: 'Preferences',
  pattern: 'Patterns',
  solution: 'Solutions',
  core_logic: 'Core logic',
};
const NAME = String.raw`[^\n;()]{1,80}`;
const ITEM = /^- (\S.*)$/;
const NOTED = new RegExp(
  String.raw`^ {2}(${NAME}), (\d{4}-\d\d-\d\d)(?:; accepted by ${NAME}, \d{4}-\d\d-\d\d)? \((fe_[\w-]{1,60}) ([\w-]{1,60})\)$`,
);
/** More lines than a team writes: the rest is not read. */
const MOST_LINES = 20_000;

/** The facts of a team as Markdown, by kind, oldest first: a fact more changes two lines. `me` is what this user is called there. */
export function teamPage(project: string, facts: readonly TeamFact[], me: string): string {
  const kinds = Map.groupBy(facts.toSorted(byAge), ({ kind }) => titleOf(kind));
  const order = [...new Set([...Object.values(TITLES), ...kinds.keys()])];
  const sections = order.flatMap((title) => {
    const items = kinds.get(title) ?? [];
    return items.length === 0 ? [] : [`## ${title}`, '', ...items.flatMap((it) => itemLines(it, me)), ''];
  });
  return [`# Team facts of ${oneLine(project)}`, '', HEAD, '', ...sections, FOOT, ''].join('\n');
}

function byAge(a: TeamFact, b: TeamFact): number {
  if (a.offeredAt !== b.offeredAt) return a.offeredAt < b.offeredAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function titleOf(kind: string): string {
  return TITLES[kind] ?? 'Facts';
}

function itemLines(fact: TeamFact, me: string): string[] {
  const name = (who: string) =>
    oneLine(who === '' ? me : who)
      .replaceAll(/[;()]/g, ' ')
      .trim() || 'unknown';
  const review =
    fact.state === 'accepted' && fact.reviewer !== undefined
      ? `; accepted by ${name(fact.reviewer)}, ${(fact.reviewedAt ?? '').slice(0, 10)}`
      : '';
  return [
    `- ${oneLine(fact.content)}`,
    `  ${name(fact.author)}, ${fact.offeredAt.slice(0, 10)}${review} (${fact.id} ${fact.factId})`,
  ];
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

/**
 * The facts of a page, as edited by reviewers. Lines of another form are counted, and instructions to an agent are left out:
 * anyone who can write to the repository can write there.
 */
export function readTeamPage(text: string): { facts: PageFact[]; refused: string[]; unknown: number } {
  const read = { facts: [] as PageFact[], refused: [] as string[], unknown: 0 };
  let kind = 'fact';
  const lines = text.split(/\r?\n/).slice(0, MOST_LINES);
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('## ')) kind = kindOf(line.slice(3).trim());
    const content = ITEM.exec(line)?.[1]?.trim();
    if (content === undefined) continue;
    const [, author, day, id, factId] = NOTED.exec(lines[at + 1]?.trimEnd() ?? '') ?? [];
    if (author === undefined || day === undefined || id === undefined || factId === undefined) read.unknown++;
    else if (!isPlainStatement(content)) read.refused.push(content);
    else
      read.facts.push({
        id,
        factId,
        kind,
        content,
        author: author.trim(),
        offeredAt: `${day}T00:00:00.000Z`,
      });
  }
  return read;
}

function kindOf(title: string): string {
  return Object.keys(TITLES).find((kind) => TITLES[kind] === title) ?? 'fact';
}
