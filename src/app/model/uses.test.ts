import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Asked, FakeModelServer } from '../../../test/made/fake-model-server.ts';
import { makeModelWorld } from '../../../test/made/model-world.ts';
import { workSession } from '../../../test/made/work.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { allSessions } from '../find/sessions.ts';
import { masterByModel, pageByModel } from '../journal/model.ts';
import { saveJournalFile } from '../journal/save.ts';
import { planSummary } from '../journal/summarize.ts';
import { planSynthesis } from '../journal/synthesize.ts';
import { listConcepts } from '../layers/concepts.ts';
import { renameConcept } from '../layers/concepts-edit.ts';
import { allFacts } from '../layers/facts.ts';
import { addFact, settleFact } from '../layers/facts-edit.ts';
import { fullExchanges } from '../layers/read.ts';
import { currentStatements } from '../layers/statements.ts';
import { runModel } from '../maintenance/model-run.ts';
import { unregister } from '../purge/unregister.ts';
import { rotateMemory } from '../rolling/check.ts';
import { updateMemory } from '../rolling/update.ts';
import { sync } from '../sync/sync.ts';
import { ledgerCalls } from './ledger.ts';
import { engineFor, type MODEL_USES } from './use.ts';

/** The folder that the sessions worked in is there: a journal is saved in its own project only. */
let project: ProjectId;
let fake: FakeModelServer;
let world: ReturnType<typeof makeModelWorld>;
beforeEach(async () => {
  fake = await FakeModelServer.start();
  world = makeModelWorld(fake);
  const { cwd } = world.places;
  project = cwd.replace(/[^A-Za-z0-9]/g, '-') as ProjectId;
  const folder = join(world.projects, project);
  mkdirSync(folder, { recursive: true });
  for (const n of [1, 2])
    writeFileSync(
      join(folder, `s${n}.jsonl`),
      workSession(
        `s${n}`,
        [
          { you: `The basket rounding is wrong in src/basket.ts, fix it, take ${n}.` },
          { run: 'npm test', fails: 'expected 3.10, got 3.1' },
          { edit: 'src/basket.ts', from: 'floor(cents)', to: 'round(cents)' },
          { run: 'npm test', prints: 'ok' },
          { agent: 'Fixed the basket rounding: src/basket.ts rounds cents now, npm test passes.' },
          { you: 'Also make the basket show the price table with rounding.' },
          { edit: 'src/basket.ts', from: 'a', to: 'b' },
          { agent: 'The basket shows the price table now; rounding is done in src/basket.ts.' },
        ],
        '2026-01-05',
        cwd,
      ),
    );
  await sync(world);
});
afterEach(async () => {
  await world.remove();
  await fake.stop();
});

const numbers = ({ prompt }: Asked) => [...prompt.matchAll(/ n="(\d+)">/g)].map(([, n]) => n!);
const answered = (tag: string, write: (n: string) => string) => (asked: Asked) =>
  numbers(asked)
    .map((n) => `<${tag} n="${n}">\n${write(n)}\n</${tag}>`)
    .join('\n');
const engine = async (use: (typeof MODEL_USES)[number]) => (await engineFor(world, use, project, 'haiku'))!;

test('nothing is on by default; one use or all of them can be; on without a model is a fault', async () => {
  expect(await engineFor(world, 'exchanges', project)).toBeUndefined();
  await world.settings.writeGlobal(() => ({ model: { use: { exchanges: true } } }));
  await expect(engineFor(world, 'exchanges', project)).rejects.toMatchObject({ code: 'config' });
  await world.settings.writeGlobal(() => ({
    defaults: { model: 'haiku' },
    model: { use: { exchanges: true } },
  }));
  expect(await engineFor(world, 'exchanges', project)).toMatchObject({ id: 'claude-haiku-5-5' });
  expect(await engineFor(world, 'concepts', project)).toBeUndefined();
  await world.settings.writeGlobal(() => ({ defaults: { model: 'haiku' }, model: { use: { all: true } } }));
  expect(await engineFor(world, 'synthesis', project)).toMatchObject({ id: 'claude-haiku-5-5' });
  expect(fake.asked).toEqual([]);
});

test('exchanges are summarized once, without invented content, and the others keep their offline summary', async () => {
  fake.answer = answered('exchange', (n) =>
    n === '1'
      ? 'summary: The basket rounding was fixed in src/basket.ts. It took 77 hours.\ndetails: Cents are rounded now. It also touched src/ghost.ts.'
      : 'summary: src/ghost.ts was rewritten.\ndetails: All of it.',
  );
  expect(await runModel(world, await engine('exchanges'), { use: 'exchanges', project })).toMatchObject({
    done: 2,
    missing: 2,
  });
  const [row] = await allSessions(world, project);
  const [first, second] = await fullExchanges(world, row!);
  expect(first!.summary).toBe('The basket rounding was fixed in src/basket.ts.');
  expect(first!.details).toBe('Cents are rounded now.');
  expect(second!.summary).not.toContain('ghost');
  const asked = fake.asked.length;
  fake.answer = answered(
    'exchange',
    () => 'summary: The price table shows rounding in the basket.\ndetails: Done.',
  );
  await runModel(world, await engine('exchanges'), { use: 'exchanges', project });
  expect(fake.asked.slice(asked).flatMap(numbers)).toEqual(['1', '1']);
  await unregister(world, [row!], { purge: true });
  const left = await world.archive.files.list(undefined, `model/${project}`);
  expect(left.filter((name) => name.startsWith(`${row!.sessionId}/`))).toEqual([]);
});

test('concepts get a model’s name of their own words; a user’s name stays', async () => {
  const before = (await listConcepts(world, { project })).items;
  expect(before.length).toBeGreaterThan(0);
  fake.answer = answered('topic', () => 'Quantum kitchen ghosts');
  expect(await runModel(world, await engine('concepts'), { use: 'concepts', project })).toMatchObject({
    done: 0,
  });
  fake.answer = answered('topic', (n) => (n === '1' ? 'Basket rounding price table' : ''));
  const ran = await runModel(world, await engine('concepts'), { use: 'concepts', project });
  const [first] = (await listConcepts(world, { project })).items;
  expect(ran.done).toBe(1);
  expect(first).toMatchObject({ name: 'Basket rounding price table' });
  expect(first!.edited).toBeUndefined();
  await renameConcept(world, first!.id, 'Money', project);
  expect((await runModel(world, await engine('concepts'), { use: 'concepts', project })).done).toBe(0);
  expect((await listConcepts(world, { project })).items[0]!.name).toBe('Money');
});

test('statements get a model’s words that their quotations support, keep these, and are merged; invented ones are dropped', async () => {
  const [row] = await allSessions(world, project);
  const before = await currentStatements(world, project, row!);
  expect(before.length).toBeGreaterThan(1);
  const run = async () => runModel(world, await engine('statements'), { use: 'statements', project });
  for (const lie of [
    'It also touched src/ghost.ts.',
    'Rounding took 77 hours.',
    'Ghosts haunt kitchens at night.',
  ]) {
    fake.answer = answered('statement', () => lie);
    expect((await run()).done).toBe(0);
  }
  expect(await currentStatements(world, project, row!)).toEqual(before);
  // Sessions are asked for one after the other, in any order.
  expect(fake.asked.map(({ prompt }) => prompt).join('\n')).toContain(before[0]!.quotes[0]!.text);
  const sentence = 'The basket rounding in src/basket.ts is wrong and gets fixed.';
  const first = before.findIndex(({ quotes }) =>
    quotes.some(({ text }) => text.includes('rounding is wrong')),
  );
  fake.answer = answered('statement', (n) => (n === String(first + 1) ? sentence : `same as ${first + 1}`));
  const ran = await run();
  expect(ran.done).toBeGreaterThan(0);
  const after = await currentStatements(world, project, row!);
  const worded = after.find(({ text }) => text === sentence)!;
  expect(worded).toMatchObject({ id: before[first]!.id, offline: before[first]!.text });
  for (const quote of before[first]!.quotes) expect(worded.quotes).toContainEqual(quote);
  // What was not merged is as it was made offline.
  for (const { id } of after) if (id !== worded.id) expect(before.map((it) => it.id)).toContain(id);
  const calls = await ledgerCalls(world);
  expect(calls.filter(({ use }) => use === 'statements').length).toBeGreaterThan(0);
  await updateMemory(world, project);
  const memory = (await world.archive.files.read(project, 'memory/memory.md'))!.toString();
  expect(memory).toContain(sentence);
  await unregister(world, [row!], { purge: true });
  const left = await world.archive.files.list(project, `summaries/${row!.sessionId}`);
  expect(left).toEqual([]);
});

test('a model settles what it keeps; what a user said is only ever left to the user', async () => {
  const user = await addFact(world, { content: 'Always run npm test before a commit.', project });
  const agent = await addFact(world, {
    content: 'The basket lives in src/basket.ts.',
    kind: 'fact',
    project,
    by: 'assistant',
  });
  for (const { id } of [user, agent])
    for (let n = 0; n < 5; n++)
      await settleFact(world, id, { action: 'contradict', note: `It was not so ${n}.` }, { project });
  fake.answer = answered('fact', () => 'drop: It was not so.');
  const { reviewed } = await runModel(world, await engine('reviews'), { use: 'reviews', project });
  expect(reviewed!.map(({ done }) => done).sort()).toEqual(['forgotten', 'left']);
  const ids = (await allFacts(world, project)).map(({ id }) => id);
  expect(ids).toContain(user.id);
  expect(ids).not.toContain(agent.id);
  fake.answer = answered('fact', () => 'keep: It was not so 3, but npm test before a commit holds.');
  expect(
    (await runModel(world, await engine('reviews'), { use: 'reviews', project })).reviewed,
  ).toMatchObject([{ done: 'kept' }]);
});

test('an archive is summed up in JSON, checked, and says by whom', async () => {
  await updateMemory(world, project);
  await rotateMemory(world, project, true);
  const lie = { name: 'Ghosts', summary: 'src/ghost.ts was haunted.' };
  const good = { name: 'Basket rounding', summary: 'The basket rounding was fixed in src/basket.ts.' };
  fake.answer = () =>
    `Here it is:\n${JSON.stringify({ themes: [good, lie], keyDecisions: [], issues: [], overallSummary: 'The basket rounding was fixed.' })}`;
  expect(await runModel(world, await engine('archives'), { use: 'archives', project })).toMatchObject({
    done: 1,
  });
  const names = (await world.archive.files.list(project, 'memory')).filter((name) =>
    name.endsWith('.summary.json'),
  );
  const text = (await world.archive.files.read(project, `memory/${names[0]}`))!.toString();
  expect(JSON.parse(text)).toMatchObject({ themes: [good], by: 'anthropic/claude-haiku-5-5' });
  expect((await runModel(world, await engine('archives'), { use: 'archives', project })).done).toBe(0);
});

test('a page and a master by a model hold only what was said, and fail clearly', async () => {
  const [row] = await allSessions(world, project);
  fake.answer = () =>
    '```markdown\n# Basket rounding\n## Context\nThe basket rounding was fixed.\n## Tracking Points\n- **Done:** src/basket.ts rounds cents now.\n- **Done:** src/ghost.ts was added.\n```';
  const page = await pageByModel(world, await engine('summaries'), row!);
  expect(page.text).toContain('- **Done:** src/basket.ts rounds cents now.');
  expect(page.dropped).toEqual(['- **Done:** src/ghost.ts was added.']);
  const made = await planSummary(world, { id: row!.sessionId, text: page.text });
  expect(made.plan.text).toContain('# Basket rounding');
  expect(made.notes).toEqual([]);
  const budget = { budget: 60 };
  await expect(masterByModel(world, await engine('synthesis'), budget)).rejects.toMatchObject({
    code: 'not-found',
  });
  await saveJournalFile(world, made.journal, made.plan, { note: 'saved' });
  const points = Array.from({ length: 30 }, (_, n) => `- The basket rounding was fixed${'!'.repeat(n)}`);
  fake.answer = () => `## Current Status\n- src/ghost.ts is next.\n## Key Decisions\n${points.join('\n')}`;
  const master = await masterByModel(world, await engine('synthesis'), budget);
  expect(master.text).not.toContain('Current Status');
  expect((await loadTokenCounter())(master.text)).toBeLessThanOrEqual(60);
  expect((await planSynthesis(world, { text: master.text })).plan.text).toContain('## Key Decisions');
  fake.answer = () => 'I cannot do that.';
  const other = (await allSessions(world, project)).find(({ sessionId }) => sessionId !== row!.sessionId)!;
  await expect(pageByModel(world, await engine('summaries'), other)).rejects.toMatchObject({ code: 'model' });
  expect((await ledgerCalls(world)).map(({ use }) => use)).toContain('synthesis');
});
