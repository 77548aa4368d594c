// Finds the session that made a commit: the query is the commit's subject, alone and with the changed files as hints.
import { existsSync, readFileSync } from 'node:fs';
import { readL1 } from '../src/app/find/read-l1.ts';
import { suggest } from '../src/app/recall/suggest.ts';
import { searchMany } from '../src/app/search/search.ts';
import { sync } from '../src/app/sync/sync.ts';
import { lineText } from '../src/core/search/documents/session.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { plainBm25, plainFts } from './plain-search.ts';

type Commit = { subject: string; files_changed: string[]; sessions: { session_id: string }[] };
type Answers = string[][];
const CUTS = [1, 5, 10];

export async function run([folder, gold]: string[]): Promise<void> {
  if (!folder || !gold || !existsSync(folder) || !existsSync(gold))
    throw new Error(
      'Missing folder of transcripts or JSONL file of commits with their sessions. Usage: npm run bench -- commits DIR FILE',
    );
  const commits = readFileSync(gold, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Commit);
  const world = makeWorld();
  try {
    await sync(world, { from: [folder] });
    const sessions = await sessionTexts(world);
    const texts = sessions.map(({ text }) => text);
    const fts = plainFts(texts, { stopWords: 'out' });
    const bm25 = plainBm25(texts, { k1: 1.2, b: 0.75 });
    const names = (commit: Commit) =>
      commit.files_changed.map((path) => path.slice(path.lastIndexOf('/') + 1));
    const plain = (find: typeof fts, query: (commit: Commit) => string): Answers =>
      commits.map((commit) => find(query(commit), CUTS.at(-1)!).map((number) => sessions[number]!.id));
    const subject = ({ subject }: Commit) => subject;
    const withNames = (commit: Commit) => `${commit.subject} ${names(commit).join(' ')}`;
    const ways: [string, Answers, Answers][] = [
      ['FTS5 porter, stop-words out', plain(fts, subject), plain(fts, withNames)],
      ['own BM25, k1 1.2, b .75', plain(bm25, subject), plain(bm25, withNames)],
      [
        'keepsake search --grain session',
        await ours(world, commits, false),
        await ours(world, commits, true),
      ],
      [
        'keepsake suggest',
        await suggested(world, commits, ({ subject }) => ({ topics: [subject] })),
        await suggested(world, commits, ({ subject, files_changed: files }) => ({
          topics: [subject],
          files,
        })),
      ],
    ];
    console.log(
      `${sessions.length} sessions, ${commits.length} commits; share of commits whose session is among the first hits, %\n(files: file names in the query for the baselines, --files for ours)\n`,
    );
    table(
      ['way', ...CUTS.map((cut) => `hit@${cut}`), ...CUTS.map((cut) => `files @${cut}`)],
      ways.map(([name, alone, hinted]) => [name, ...hits(commits, alone), ...hits(commits, hinted)]),
    );
    const byFiles = await suggested(world, commits, ({ files_changed: files }) => ({ files }));
    const latest = await suggested(world, commits, () => ({}));
    console.log('\nno query, only the changed files\n');
    table(
      ['way', ...CUTS.map((cut) => `hit@${cut}`)],
      [
        ['the latest sessions', ...hits(commits, latest)],
        ['keepsake suggest --files', ...hits(commits, byFiles)],
      ],
    );
  } finally {
    await world.remove();
  }
}

/** The whole L1 text of each session. */
async function sessionTexts(world: TestWorld): Promise<{ id: string; text: string }[]> {
  const found: { id: string; text: string }[] = [];
  for (const project of await world.archive.projects()) {
    const opened = await world.archive.open(project);
    for (const record of Object.values(opened?.manifest.sessions ?? {})) {
      const lines = await readL1(world, { ...record, projectId: project });
      found.push({ id: record.sessionId, text: lines.map(lineText).join('\n') });
    }
  }
  return found;
}

async function ours(world: TestWorld, commits: Commit[], files: boolean): Promise<Answers> {
  const answers: Answers = [];
  const requests = commits.map((commit) => ({
    query: commit.subject,
    grain: 'session' as const,
    limit: CUTS.at(-1)!,
    filters: files ? { files: commit.files_changed } : {},
  }));
  await searchMany(world, fed(requests), (_, answer) => {
    answers.push(answer.hits.map(({ sessionId }) => sessionId));
  });
  return answers;
}

async function suggested(
  world: TestWorld,
  commits: Commit[],
  handOf: (commit: Commit) => { topics?: string[]; files?: string[] },
): Promise<Answers> {
  const answers: Answers = [];
  for (const commit of commits) {
    const { items } = await suggest(world, { ...handOf(commit), limit: CUTS.at(-1)! });
    answers.push(items.map(({ sessionId }) => sessionId));
  }
  return answers;
}

async function* fed<T>(items: T[]): AsyncIterable<T> {
  yield* items;
}

function hits(commits: Commit[], answers: Answers): string[] {
  return CUTS.map((cut) => {
    const good = commits.filter(({ sessions }, place) =>
      sessions.some(({ session_id: id }) => answers[place]!.slice(0, cut).includes(id)),
    );
    return ((100 * good.length) / commits.length).toFixed(1);
  });
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
