// Versions written by a model: tokens sent and received compared to sending the whole session, parallel calls, and what the check rejects.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressSession } from '../src/app/compress/compress.ts';
import { allSessions } from '../src/app/find/sessions.ts';
import { ledgerCalls } from '../src/app/model/ledger.ts';
import { sync } from '../src/app/sync/sync.ts';
import { costOf, listPrice, modelId } from '../src/core/model/model-names.ts';
import { loadTokenCounter } from '../src/core/text/tokens.ts';
import { type Asked, FakeModelServer } from '../test/made/fake-model-server.ts';
import { honest, LIES, lying } from '../test/made/model-answers.ts';
import { makeModelWorld } from '../test/made/model-world.ts';
import { type Step, workSession } from '../test/made/work.ts';
import { isMain, table } from './bench-table.ts';

const LEVELS = ['light', 'moderate', 'aggressive'] as const;
const DELAY_MS = 400;
const TOKENS = 100_000;
const OPUS = listPrice(modelId('opus'))!;

export async function run([file]: string[]): Promise<void> {
  const text = file === undefined ? madeSession() : readFileSync(file, 'utf8');
  const count = await loadTokenCounter();
  const fake = await FakeModelServer.start();
  const figures: string[][] = [];
  const times: string[][] = [];
  const drops: string[][] = [];
  try {
    for (const level of LEVELS) {
      const lines: string[] = [];
      fake.answer = (asked: Asked) => noted(lines, honest(asked));
      const { made, calls } = await once(fake, text, { level }, 4);
      const sent = fake.asked.reduce((sum, it) => sum + count(it.system) + count(it.prompt), 0);
      const received = lines.reduce((sum, it) => sum + count(it), 0);
      const whole = {
        input: made.inputTokens + count(fake.asked[0]?.system ?? ''),
        output: made.outputTokens,
      };
      figures.push([
        `${level} (${made.receipt.askedRatio}:1)`,
        String(made.inputTokens),
        String(calls),
        String(sent),
        String(received),
        String(made.outputTokens),
        `${Math.round((100 * sent) / whole.input)}%`,
        `$${costOf(OPUS, { input: sent, output: received }).toFixed(3)}`,
        `$${costOf(OPUS, whole).toFixed(3)}`,
      ]);
      const sentences = lines.join(' ').split('In short, ').length - 1;
      drops.push([level, 'honest', String(sentences), String(made.receipt.dropped?.length ?? 0), '', '']);
      const lied: string[] = [];
      fake.answer = (asked: Asked) => noted(lied, lying(asked));
      const liar = (await once(fake, text, { level }, 4)).made;
      const lies = LIES.reduce((sum, lie) => sum + lied.join(' ').split(lie).length - 1, 0);
      const left = LIES.filter((lie) => liar.markdown.includes(lie)).length;
      const all = lied.join(' ').split('In short, ').length - 1 + lies;
      drops.push([
        level,
        'lying',
        String(all),
        String(liar.receipt.dropped?.length ?? 0),
        String(lies),
        String(left),
      ]);
      if (level !== 'light') continue;
      for (const atOnce of [1, 4]) {
        fake.answer = (asked: Asked) => ({ text: honest(asked), delayMs: DELAY_MS });
        const slow = await once(fake, text, { level }, atOnce);
        times.push([
          `${atOnce} in parallel`,
          String(slow.calls),
          `${slow.seconds.toFixed(1)} s`,
          `${((slow.calls * DELAY_MS) / 1000).toFixed(1)} s`,
        ]);
      }
    }
  } finally {
    await fake.stop();
  }
  console.log('Tokens by our own counter; prices of Opus; "whole" sends the session in one call.\n');
  table(['level', 'session', 'calls', 'sent', 'received', 'version', 'of whole', 'cost', 'whole'], figures);
  console.log(`\nTime of the light version if each call takes ${DELAY_MS} ms\n`);
  table(['calls', 'made', 'time', 'all calls'], times);
  console.log('\nWhat the check rejects (a receipt lists at most 300)\n');
  table(['level', 'answers', 'sentences', 'dropped', 'lies', 'kinds of untrue sentences left'], drops);
}

function noted(list: string[], text: string): string {
  list.push(text);
  return text;
}

async function once(
  fake: FakeModelServer,
  text: string,
  ask: { level: (typeof LEVELS)[number] },
  atOnce: number,
) {
  const world = makeModelWorld(fake);
  try {
    const folder = join(world.projects, '-srv-shop');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'session.jsonl'), text);
    await sync(world);
    await world.settings.writeGlobal(() => ({ model: { atOnce, dailyCap: 'none' } }));
    const [row] = await allSessions(world);
    const ref = { project: row!.projectId, session: row!.sessionId };
    fake.asked.length = 0;
    const start = performance.now();
    const [made] = await compressSession(world, ref, { ...ask, model: 'opus', force: true });
    const seconds = (performance.now() - start) / 1000;
    const name = `summaries/${ref.session}/${made!.version!.file}.md`;
    const markdown = (await world.archive.files.read(ref.project, name))?.toString() ?? '';
    return { made: { ...made!, markdown }, seconds, calls: (await ledgerCalls(world)).length };
  } finally {
    await world.remove();
  }
}

/** Prompts, tool calls and answers, about 100,000 tokens in total. */
function madeSession(): string {
  const steps: Step[] = [];
  const words =
    'basket price cents rounding invoice index cache token queue retry worker schema login page'.split(' ');
  const word = (n: number) => words[n % words.length]!;
  for (let n = 0; n * 822 < TOKENS; n++) {
    const path = `src/${word(n)}/${word(n * 3 + 1)}.ts`;
    steps.push({
      you: `The ${word(n)} of ${word(n + 1)} ${n} is wrong in ${path}. Please find out why and fix it.`,
    });
    steps.push({
      run: `npm test -- ${word(n)}${n}`,
      fails: `expected ${n * 7} but got ${n * 7 + 1} at ${path}:${n + 10}`,
    });
    const printed = Array.from(
      { length: 40 },
      (_, k) => `${k + n}: const ${word(k)}${k} = ${word(k + n)}(${k * n});`,
    );
    steps.push({ tool: 'Read', input: { file_path: path }, gives: printed.join('\n') });
    steps.push({ edit: path, from: `floor(${word(n)})`, to: `round(${word(n)})` });
    const said = Array.from(
      { length: 8 },
      (_, k) => `The ${word(n + k)} in ${path} took case ${n * 8 + k} for ${word(k)} ${k}.`,
    );
    steps.push({
      agent: `${said.join(' ')} Fixed: it rounds ${word(n)} now, because floor lost ${n} cents.`,
    });
  }
  return workSession('bench-1', steps);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
