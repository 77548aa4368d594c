// Every prompt of real sessions, with only earlier sessions known: what the prompt hook would quote or offer.
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readL1 } from '../src/app/find/read-l1.ts';
import { fittingPassages } from '../src/app/inject/prompt.ts';
import type { PromptPiece } from '../src/app/inject/prompt-passages.ts';
import { allRepositories } from '../src/app/repository/repositories.ts';
import { importChats } from '../src/app/sync/import-chats.ts';
import { sync } from '../src/app/sync/sync.ts';
import { promptKind } from '../src/core/inject/prompt-kind.ts';
import { CONFIG_DEFAULTS } from '../src/core/model/config-defaults.ts';
import { isOwnWords, startsExchange } from '../src/core/model/l1.ts';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { viewOf } from './view-before.ts';

type Quoted = {
  project: string;
  session: string;
  ts: string;
  kind: string;
  prompt: string;
  before: string;
  piece: PromptPiece;
};
type Counts = { prompts: number; quoted: number; passages: number; offered: number; tokens: number };

export async function run(args: string[]): Promise<void> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const archive = option('archive');
  if (folders.length === 0 && archive === undefined)
    throw new Error(
      'Give folders of sessions: npm run bench -- prompts DIR ... [--archive=DIR] [--alone] [--sample=FILE]',
    );
  const world = makeWorld(archive);
  try {
    if (!archive || !existsSync(join(archive, 'archive', 'projects'))) await ingest(world, folders);
    const counts = new Map<string, Counts>();
    const quoted = await replay(world, counts, args.includes('--alone'));
    report(counts);
    const sample = option('sample');
    if (sample !== undefined) writeFileSync(sample, sampleText(quoted));
  } finally {
    await world.index.close();
    await world.archive.close();
    if (!archive) await world.remove();
  }
}

async function ingest(world: TestWorld, folders: string[]): Promise<void> {
  for (const folder of folders) {
    if (basename(folder) === 'chat_jsonl')
      await importChats(world, folder, { project: basename(dirname(folder)) });
    else await sync(world, { from: [folder] });
  }
}

/** `alone`: as if each project were the only one of its archive. */
async function replay(world: TestWorld, counts: Map<string, Counts>, alone: boolean): Promise<Quoted[]> {
  const quoted: Quoted[] = [];
  const whole = await world.index.view();
  const rows = whole.sources();
  const tokens = CONFIG_DEFAULTS.hooks.promptTokens;
  for (const { name, folders } of await allRepositories(world)) {
    const ids = folders.map(({ projectId }) => projectId);
    const isOwn = new Set<string>(ids);
    const own = counts.get(name) ?? { prompts: 0, quoted: 0, passages: 0, offered: 0, tokens: 0 };
    counts.set(name, own);
    for (const projectId of ids) {
      const sessions = (await world.archive.open(projectId))?.manifest.sessions ?? {};
      for (const record of Object.values(sessions).filter((it) => it.registered)) {
        const known = new Set(
          rows
            .filter((row) => (isOwn.has(row.project) ? row.last < record.firstTimestamp : !alone))
            .map(({ id }) => id),
        );
        const view = viewOf(whole, (id) => known.has(id));
        const earlier = { ...world, index: { ...world.index, view: async () => view } };
        const said = new Set<string>();
        let before = '';
        for (const line of await readL1(world, { ...record, projectId })) {
          if (line.role === 'assistant' && line.text) before = line.text;
          if (!startsExchange(line) || !isOwnWords(line) || line.sent !== undefined) continue;
          const prompt = `${line.command ?? ''} ${line.text ?? ''}`.trim();
          if (prompt === '') continue;
          own.prompts++;
          const state = { version: 2 as const, session: record.sessionId, told: [] };
          const found = await fittingPassages(earlier, state, ids, {
            prompt,
            isFollowUp: before !== '',
            tokens,
          });
          const pieces = (found?.pieces ?? []).filter(({ exchange }) => !said.has(exchange));
          for (const piece of pieces) {
            said.add(piece.exchange);
            own.tokens += estimateTokens(piece.text);
            const kind = promptKind(prompt);
            quoted.push({
              project: name,
              session: record.sessionId,
              ts: line.ts,
              kind,
              prompt,
              before,
              piece,
            });
          }
          own.passages += pieces.length;
          if (pieces.length > 0) own.quoted++;
          else if (found?.offer) own.offered++;
        }
      }
    }
  }
  whole.close();
  return quoted;
}

function report(counts: Map<string, Counts>): void {
  const rows = [...counts].filter(([, { prompts }]) => prompts > 0);
  const line = (name: string, { prompts, quoted, passages, offered, tokens }: Counts) => [
    name,
    String(prompts),
    String(quoted),
    String(passages),
    String(offered),
    passages === 0 ? '' : String(Math.round(tokens / passages)),
  ];
  const keys = ['prompts', 'quoted', 'passages', 'offered', 'tokens'] as const;
  const all = Object.fromEntries(
    keys.map((key) => [key, rows.reduce((sum, [, it]) => sum + it[key], 0)]),
  ) as Counts;
  table(
    ['project', 'prompts', 'with passages', 'passages', 'offer alone', 'tokens a passage'],
    [...rows.map(([name, it]) => line(name, it)), line('all', all)],
  );
}

function sampleText(quoted: Quoted[]): string {
  return quoted
    .map(({ project, session, ts, kind, prompt, before, piece }, at) =>
      [
        `## ${at + 1}. ${project}, session ${session.slice(0, 8)}, ${ts} (${kind})`,
        ...(before === '' ? [] : [`**What the agent had said just before** (end): ${tail(before)}`]),
        `**The prompt**:\n\n${cut(prompt)}`,
        `**What the hook would quote** (from ${piece.source}):\n\n${piece.text}`,
      ].join('\n\n'),
    )
    .join('\n\n');
}

function cut(text: string): string {
  return text.length <= 1500 ? text : `${text.slice(0, 1100)}\n[...]\n${text.slice(-400)}`;
}

function tail(text: string): string {
  return text.replace(/\s+/g, ' ').slice(-350);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
