// Titles of all sessions next to the first prompt, cut to the same length: counts by form; ALL_TITLES=1 lists them.
import { basename } from 'node:path';
import { chooseTitle } from '../src/core/layers/titles/choose-title.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { isMain, table } from './bench-table.ts';
import { type FoldedSession, foldedSessions, projectsIn } from './folded-sessions.ts';

const LONGEST = 80;
const POLITE = /^(?:can|could|would) (?:you|we)\b|^(?:please|hi|hello|hey|ok|okay|so|let's)\b/i;

type Titled = { title: string; prompt: string; own: boolean };

/** `npm run bench -- titles DIR...` */
export async function run(args: string[]): Promise<void> {
  if (args.length === 0)
    throw new Error('Missing folders of transcripts. Usage: npm run bench -- titles DIR...');
  const figures: string[][] = [];
  for (const folder of args.flatMap(projectsIn)) {
    const titled: Titled[] = [];
    for await (const session of foldedSessions(folder)) {
      const found = titledOf(session);
      if (!found) continue;
      titled.push(found);
      if (process.env.ALL_TITLES)
        console.log(`${session.project}  ${basename(session.file)}\n  ${found.title}\n  ${found.prompt}`);
    }
    if (titled.length > 0) figures.push([basename(folder), ...formOf(titled)]);
  }
  table(
    [
      'project',
      'sessions',
      'own title',
      'with the outcome',
      'polite words (prompt)',
      'a command (prompt)',
      'cut (prompt)',
    ],
    figures,
  );
}

function titledOf({ l1, state }: FoldedSession): Titled | undefined {
  const first = l1
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as L1Line)
    .find((line) => line.role === 'user' && line.text && line.sent === undefined);
  if (!first?.text) return undefined;
  const { customTitle, aiTitle, summaryTitle } = state.facts;
  return {
    title: chooseTitle(state.titles, state.facts) ?? '',
    prompt: `${first.command ? `${first.command} ` : ''}${first.text}`.replace(/\s+/g, ' ').trim(),
    own: (customTitle ?? aiTitle ?? summaryTitle) !== undefined,
  };
}

function formOf(titled: Titled[]): string[] {
  const count = (is: (it: Titled) => boolean) => titled.filter(is).length;
  const both = (is: (text: string) => boolean) =>
    `${count(({ title }) => is(title))} (${count(({ prompt }) => is(prompt.slice(0, LONGEST)))})`;
  return [
    String(titled.length),
    String(count(({ own }) => own)),
    String(count(({ title, own }) => !own && title.includes(' - '))),
    both((text) => POLITE.test(text)),
    both((text) => text.startsWith('/')),
    `${count(({ title }) => title.endsWith('…'))} (${count(({ prompt }) => prompt.length > LONGEST)})`,
  ];
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
