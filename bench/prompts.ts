// Replays every prompt of real sessions, with only earlier sessions known, and counts what the prompt hook would quote or offer.
// With --any-time later sessions are known too: more passages to judge, of pairs that nothing was fitted on.
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readL1 } from '../src/app/find/read-l1.ts';
import { importChats } from '../src/app/import/import-chats.ts';
import { fittingPassages } from '../src/app/inject/prompt.ts';
import { allRepositories } from '../src/app/repository/repositories.ts';
import { sync } from '../src/app/sync/sync.ts';
import { promptKind } from '../src/core/inject/prompt-kind.ts';
import { CONFIG_DEFAULTS } from '../src/core/model/config-defaults.ts';
import { isOwnWords, startsExchange } from '../src/core/model/l1.ts';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { offeredTexts, type ReplayedPrompt, sampleText } from './prompts-sample.ts';
import { viewOf } from './view-before.ts';

export async function run(args: string[]): Promise<void> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const archive = option('archive');
  if (folders.length === 0 && archive === undefined)
    throw new Error(
      'Missing folders of sessions. Usage: npm run bench -- prompts DIR ... [--archive=DIR] [--alone] [--any-time] [--sample=FILE] [--of=100]',
    );
  const world = makeWorld(archive);
  try {
    if (!archive || !existsSync(join(archive, 'archive', 'projects'))) await ingest(world, folders);
    const replayed = await replay(world, {
      alone: args.includes('--alone'),
      anyTime: args.includes('--any-time'),
    });
    report(replayed);
    const sample = option('sample');
    if (sample !== undefined)
      writeFileSync(sample, await sampleText(replayed, Number(option('of') ?? 100), offeredTexts(world)));
    const all = option('all');
    if (all !== undefined) writeFileSync(all, replayed.map((it) => `${JSON.stringify(it)}\n`).join(''));
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

/** `alone`: each project is treated as the only one in its archive; `anyTime`: all other sessions are known, not only earlier ones. */
async function replay(
  world: TestWorld,
  { alone, anyTime }: { alone: boolean; anyTime: boolean },
): Promise<ReplayedPrompt[]> {
  const replayed: ReplayedPrompt[] = [];
  const whole = await world.index.view();
  const rows = whole.sources();
  const tokens = CONFIG_DEFAULTS.hooks.promptTokens;
  for (const { name, folders } of await allRepositories(world)) {
    const ids = folders.map(({ projectId }) => projectId);
    const isOwn = new Set<string>(ids);
    for (const projectId of ids) {
      const sessions = (await world.archive.open(projectId))?.manifest.sessions ?? {};
      for (const record of Object.values(sessions).filter((it) => it.registered)) {
        const known = new Set(
          rows
            .filter((row) =>
              isOwn.has(row.project)
                ? row.last < record.firstTimestamp || (anyTime && row.name !== record.sessionId)
                : !alone,
            )
            .map(({ id }) => id),
        );
        const view = viewOf(whole, (id) => known.has(id));
        const earlier = { ...world, index: { ...world.index, view: async () => view } };
        const [said, offered] = [new Set<string>(), new Set<string>()];
        let before = '';
        for (const line of await readL1(world, { ...record, projectId })) {
          if (line.role === 'assistant' && line.text) before = line.text;
          if (!startsExchange(line) || !isOwnWords(line) || line.sent !== undefined) continue;
          const prompt = `${line.command ?? ''} ${line.text ?? ''}`.trim();
          if (prompt === '') continue;
          const state = { version: 2 as const, session: record.sessionId, told: [] };
          const isFollowUp = before !== '';
          const found = await fittingPassages(earlier, state, ids, { prompt, isFollowUp, tokens });
          const pieces = (found?.pieces ?? []).filter(({ exchange }) => !said.has(exchange));
          for (const { exchange } of pieces) said.add(exchange);
          const isNew =
            found?.offered.some(({ exchange }) => !said.has(exchange) && !offered.has(exchange)) ?? false;
          for (const { exchange } of found?.offered ?? []) offered.add(exchange);
          replayed.push({
            project: name,
            session: record.sessionId,
            ts: line.ts,
            kind: promptKind(prompt),
            prompt,
            before,
            pieces,
            offer: isNew ? found!.offer : '',
            offered: isNew ? found!.offered : [],
          });
        }
      }
    }
  }
  whole.close();
  return replayed;
}

function report(replayed: ReplayedPrompt[]): void {
  const line = (name: string, own: ReplayedPrompt[]) => {
    const quoted = own.filter(({ pieces }) => pieces.length > 0);
    const passages = quoted.flatMap(({ pieces }) => pieces);
    const tokens = passages.reduce((sum, { text }) => sum + estimateTokens(text), 0);
    return [
      name,
      String(own.length),
      String(quoted.length),
      String(passages.length),
      String(own.filter(({ pieces, offer }) => pieces.length === 0 && offer !== '').length),
      passages.length === 0 ? '' : String(Math.round(tokens / passages.length)),
    ];
  };
  const byProject = Map.groupBy(replayed, ({ project }) => project);
  table(
    ['project', 'prompts', 'with passages', 'passages', 'offer alone', 'tokens per passage'],
    [...[...byProject].map(([name, own]) => line(name, own)), line('all', replayed)],
  );
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
