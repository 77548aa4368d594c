// Replays every start of real sessions, with only earlier sessions known: what each section of the start text is worth per token.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packWithin } from '../src/app/answer/text.ts';
import { readL1 } from '../src/app/find/read-l1.ts';
import type { RecallScope } from '../src/app/find/scope.ts';
import { importChats } from '../src/app/import/import-chats.ts';
import { unsaidPieces } from '../src/app/inject/start.ts';
import { inStartOrder } from '../src/app/inject/start-injection.ts';
import { statedPieces } from '../src/app/inject/stated-pieces.ts';
import { memoryPieces } from '../src/app/recall/memory.ts';
import { latestPieces, talkSessions } from '../src/app/recall/pieces.ts';
import { RecallSources } from '../src/app/recall/sources.ts';
import { allRepositories } from '../src/app/repository/repositories.ts';
import { sync } from '../src/app/sync/sync.ts';
import { likelyFiles } from '../src/core/inject/likely-files.ts';
import { useOf } from '../src/core/inject/was-used.ts';
import { CONFIG_DEFAULTS } from '../src/core/model/config-defaults.ts';
import type { PackedPiece } from '../src/core/search/pack.ts';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { instructionsSeen, repeatedLines } from './instructions-seen.ts';

type Worth = { starts: number; tokens: number; files: number; used: number };
type Found = {
  sections: Map<string, Worth>;
  starts: number;
  again: number;
  before: number;
  whole: Whole;
};
/** The whole injection: its tokens, the files it names, and what the instructions already say. */
type Whole = { tokens: number; files: number; instructed: number; leftOut: number; repeats: string[] };

export async function run(args: string[]): Promise<void> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const archive = args.find((arg) => arg.startsWith('--archive='))?.slice('--archive='.length);
  if (folders.length === 0 && archive === undefined)
    throw new Error('Missing folders of sessions. Usage: npm run bench -- starts DIR ... [--archive=DIR]');
  const world = makeWorld(archive);
  try {
    if (!archive || !existsSync(join(archive, 'archive', 'projects')))
      for (const folder of folders) {
        if (basename(folder) === 'chat_jsonl')
          await importChats(world, folder, { project: basename(dirname(folder)) });
        else await sync(world, { from: [folder] });
      }
    report(await replay(world));
  } finally {
    await world.index.close();
    await world.archive.close();
    if (!archive) await world.remove();
  }
}

async function replay(world: TestWorld): Promise<Found> {
  const whole: Whole = { tokens: 0, files: 0, instructed: 0, leftOut: 0, repeats: [] };
  const found: Found = { sections: new Map(), starts: 0, again: 0, before: 0, whole };
  for (const { folders } of await allRepositories(world)) {
    const opened = await Promise.all(folders.map(({ projectId }) => world.archive.open(projectId)));
    const manifests = opened.flatMap((it) => it?.manifest ?? []);
    const rows = manifests.flatMap(({ projectId, sessions }) =>
      Object.values(sessions)
        .filter(({ registered, by }) => registered && by === undefined)
        .map((record) => ({ ...record, projectId })),
    );
    for (const row of rows) {
      const isEarlier = (it: { lastTimestamp: string }) => it.lastTimestamp < row.firstTimestamp;
      const earlier = rows.filter(isEarlier).sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
      if (earlier.length === 0) continue;
      const scope: RecallScope = {
        manifests: manifests.map((it) => ({
          ...it,
          sessions: Object.fromEntries(Object.entries(it.sessions).filter(([, one]) => isEarlier(one))),
        })),
        labels: new Map(),
      };
      const sources = await RecallSources.open(world, scope, { own: true });
      const { states, ...stated } = await statedPieces(world, scope, sources);
      const latest = await latestPieces(sources, {
        ofEach: 4,
        without: await talkSessions(sources, states),
      });
      const asOf = row.firstTimestamp;
      const memory = await memoryPieces(world, scope, sources, { budget: 1500, asOf, latest });
      const changed = earlier.map(({ metadata, projectId }) => ({
        files: metadata.filesTouched.filter((file) => !/^(?:\/|~|\.\.)/.test(file)),
        here: projectId === row.projectId,
      }));
      const sections: [string, string][] = [
        ['24 likely files', likelyFiles(changed, 24).join(', ')],
        ['12 likely files', likelyFiles(changed, 12).join(', ')],
        ['environment', textOf(stated.environment)],
        ['left open', textOf(stated.open)],
        ['decided', textOf(stated.decided)],
        ['memory.md', textOf(memory)],
        ['latest, first 3', textOf(latest.slice(0, 3))],
      ];
      const known = new Set(earlier.flatMap(({ metadata }) => metadata.filesTouched));
      const again = row.metadata.filesTouched.filter((file) => known.has(file));
      const last = earlier.find(({ metadata }) => metadata.filesTouched.length > 0)?.metadata.filesTouched;
      found.starts++;
      found.again += again.length;
      found.before += again.filter((file) => last?.includes(file)).length;
      const files = sections[0]![1];
      const likely: PackedPiece[] =
        files === '' ? [] : [{ section: 'Files', source: 'by their records', text: files, whole: true }];
      const pieces = inStartOrder<PackedPiece>({ files: likely, ...stated, memory, latest });
      const instructions = instructionsSeen(originalOf(world, row));
      const unsaid = unsaidPieces(pieces, { text: instructions.join('\n'), files: new Set<string>() });
      const { text: injected } = await packWithin(
        '# Memory',
        unsaid.pieces,
        CONFIG_DEFAULTS.hooks.startTokens,
      );
      whole.tokens += estimateTokens(injected);
      whole.files += again.filter((file) => injected.includes(file)).length;
      whole.instructed += Number(instructions.length > 0);
      whole.leftOut += unsaid.known.length;
      whole.repeats.push(...repeatedLines(injected, instructions));
      const lines = await readL1(world, row);
      for (const [name, text] of sections) {
        const worth = found.sections.get(name) ?? { starts: 0, tokens: 0, files: 0, used: 0 };
        found.sections.set(name, worth);
        if (text === '') continue;
        const use = useOf(text, row.firstTimestamp, lines);
        worth.starts++;
        worth.tokens += estimateTokens(text);
        worth.files += again.filter((file) => text.includes(file)).length;
        worth.used += use.files.length + use.words.length;
      }
    }
  }
  return found;
}

function originalOf(
  world: TestWorld,
  { projectId, sessionId }: { projectId: string; sessionId: string },
): string {
  return join(world.archive.root, 'projects', projectId, 'originals', `${sessionId}.jsonl`);
}

function textOf(pieces: PackedPiece[]): string {
  return pieces.map(({ source, text }) => `${source}\n> ${text}`).join('\n');
}

function report({ sections, starts, again, before, whole }: Found): void {
  const share = (count: number) => `${((100 * count) / Math.max(1, again)).toFixed(1)}%`;
  const each = (sum: number, of: number) => ((100 * sum) / Math.max(1, of)).toFixed(2);
  console.log(`${starts} starts, ${again} files that a session changes and an earlier one changed\n`);
  table(
    ['section', 'starts', 'tokens', 'of these files', 'files / 100 tokens', 'used names / 100 tokens'],
    [
      ['files of the session before', '', '', share(before), '', ''],
      ...[...sections].map(([name, worth]) => [
        name,
        String(worth.starts),
        String(Math.round(worth.tokens / Math.max(1, worth.starts))),
        share(worth.files),
        each(worth.files, worth.tokens),
        each(worth.used, worth.tokens),
      ]),
    ],
  );
  const tokens = Math.round(whole.tokens / Math.max(1, starts));
  console.log(
    `\nthe whole injection: ${tokens} tokens per start, names ${share(whole.files)} of these files\n` +
      `starts of sessions whose file shows CLAUDE.md, AGENTS.md or the agent's memory: ${whole.instructed}; ` +
      `pieces left out because these files say them: ${whole.leftOut}; lines that still repeat them: ${whole.repeats.length}`,
  );
  for (const line of whole.repeats) console.log(`  ${line.slice(0, 200)}`);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
