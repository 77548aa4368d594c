import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planSynthesis, type SynthesisPlan, saveSynthesis } from '../src/app/journal/synthesize.ts';
import { readPage } from '../src/core/journal/read-page.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';

const SIZES = [10, 100, 1000];
const AGES = 4;
const SUBJECTS = [
  'cache',
  'invoice',
  'login',
  'export',
  'search',
  'upload',
  'billing',
  'calendar',
  'mailer',
  'report',
];
const VERBS = [
  'keeps',
  'reads',
  'writes',
  'checks',
  'retries',
  'splits',
  'joins',
  'signs',
  'sorts',
  'stores',
];

/** Synthesizes invented summaries: time, size, and how much of them is still included, by age. */
export async function run(): Promise<void> {
  const rows: string[][] = [];
  for (const count of SIZES) rows.push(await measure(count));
  table(
    [
      'summaries',
      'read alone',
      'first',
      'one more',
      'nothing new',
      'tokens',
      'decisions held, oldest to newest',
      'files held',
    ],
    rows,
  );
}

async function measure(count: number): Promise<string[]> {
  const world = makeWorld();
  const root = mkdtempSync(join(tmpdir(), 'keepsake-journal-'));
  world.places.cwd = root;
  try {
    const folder = join(root, '_memory', 'conversations');
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < count; at++) writeFileSync(join(folder, `${name(at)}.md`), summary(at));
    const floor = await timed(async () => {
      for (let at = 0; at < count; at++)
        readPage(readFileSync(join(folder, `${name(at)}.md`), 'utf8'), name(at));
    });
    let made: SynthesisPlan | undefined;
    const synthesize = async () => {
      made = await planSynthesis(world, { approve: true });
      if (!made.plan.same) await saveSynthesis(world, made);
    };
    const first = await timed(synthesize);
    writeFileSync(join(folder, `${name(count)}.md`), summary(count));
    const more = await timed(synthesize);
    const idle = await timed(synthesize);
    const text = made?.plan.text ?? '';
    const held = Array.from({ length: AGES }, (_, age) => {
      const [from, to] = [Math.floor((age * count) / AGES), Math.floor(((age + 1) * count) / AGES)];
      return share(text, from, to, (at) => decision(at).split(',')[0]!);
    });
    const files = share(text, 0, count, (at) => `src/${subject(at)}.ts`);
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    return [
      String(count),
      ms(floor),
      ms(first),
      ms(more),
      ms(idle),
      String(made?.tokens ?? 0),
      held.join(' '),
      files,
    ];
  } finally {
    await world.remove();
    rmSync(root, { recursive: true, force: true });
  }
}

function share(text: string, from: number, to: number, of: (at: number) => string): string {
  let held = 0;
  for (let at = from; at < to; at++) if (text.includes(of(at))) held++;
  return `${Math.round((100 * held) / Math.max(1, to - from))}%`;
}

function name(at: number): string {
  return `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

function subject(at: number): string {
  return SUBJECTS[at % SUBJECTS.length]!;
}

function decision(at: number): string {
  const verb = VERBS[Math.floor(at / SUBJECTS.length) % VERBS.length]!;
  return `The ${subject(at)} module ${verb} its records by key${at}, since key${at}x was too slow for batch${at}.`;
}

function summary(at: number): string {
  const day = new Date(Date.UTC(2025, 0, 1) + at * 6 * 3_600_000).toISOString();
  const points = [
    `- **Decision:** ${decision(at)}`,
    `- **Learning:** \`npm test\` of ${subject(at)} fails without fixture${at}.`,
    `- **Change:** moved \`${subject(at)}${at}\` from the worker into the service.`,
    `- **Status:** the ${subject(at)} part${at} works.`,
    ...(at % 3 === 0 ? [`- **Open:** who owns the ${subject(at)} queue${at}?`] : []),
  ];
  return `# Work on ${subject(at)} ${at}\n\n## Context\nStep ${at}.\n\n## Tracking Points\n${points.join('\n')}\n\n## Related Files/Artifacts\n- \`src/${subject(at)}.ts\`\n- \`npm test\` (command, worked)\n\n<!-- keepsake:page session=${name(at)} first=${day} last=${day} text=0000000000000000 -->\n`;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

if (isMain(import.meta.url)) await run();
