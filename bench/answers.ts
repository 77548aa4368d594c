// Asks search, recall and the prompt hook the questions of labeled sessions, and counts how many each answers, by project.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { recall } from '../src/app/recall/recall.ts';
import { search } from '../src/app/search/search.ts';
import type { World } from '../src/app/world.ts';
import { runHook } from '../src/entrypoints/hooks/run-hook.ts';
import { type AskedQuestion, answers, labeledQuestions } from './answers-gold.ts';
import { leftOutWeights } from './answers-left-out.ts';
import { isMain, median, table } from './bench-table.ts';

const TOP = 3;
const BUDGETS = [700, 2000] as const;
/** A new session id in each run: what was injected into a session once is not injected again. */
const RUN = Date.now().toString(16).slice(-8);
const OFFER = /recall "([^"\n]+)"/;
const WAYS = [
  'search top 3',
  'passages top 3',
  'of these in the passage',
  'recall 700',
  'recall 2000',
  'hook passages',
  'passages or offer',
  'hook spoke',
  'hook offered',
  'foreign answered',
  'foreign offered',
] as const;
type Counts = Record<(typeof WAYS)[number], number>;

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  const archive = args.find((arg) => arg.startsWith('--archive='))?.slice('--archive='.length);
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((it) => !existsSync(it)))
    throw new Error(
      'Missing folder of labels and folders of their sessions. Usage: npm run bench -- answers GOLD DIR ... [--archive=DIR] [--left-out] [--print]',
    );
  const { world, questions, cwds, close } = await labeledQuestions(gold, folders, archive);
  try {
    const weighFor = args.includes('--left-out') ? await leftOutWeights(world, questions) : undefined;
    const asked = new HookAsker(world);
    const byFolder = new Map<string, { counts: Counts; questions: number }>();
    const times = { recall: [] as number[], search: [] as number[], passages: [] as number[] };
    let tokens = 0;
    const places = [...new Set(questions.map(({ folder }) => folder))].sort();
    for (const question of questions) {
      const { folder } = question;
      weighFor?.(folder);
      const own = byFolder.get(folder) ?? { counts: none(), questions: 0 };
      byFolder.set(folder, own);
      own.questions++;
      const { counts } = own;
      const missed = await bySearch(world, question, counts, times);
      missed.push(...(await byRecall(world, question, counts, times)));
      const text = await asked.own(question.question, question.cwd);
      const offer = OFFER.exec(text)?.[1];
      tokens += text.length / 4;
      const spoke = text.includes('\n> ');
      if (spoke) counts['hook spoke']++;
      else if (offer !== undefined) counts['hook offered']++;
      const isQuoted = answers(text, question.quote);
      if (isQuoted) counts['hook passages']++;
      else missed.push('hook');
      if (isQuoted || (offer !== undefined && (await recallAnswers(world, question, offer))))
        counts['passages or offer']++;
      const other = places[(places.indexOf(folder) + 1) % places.length]!;
      if (other !== folder) {
        const foreign = await asked.own(question.question, cwds.get(other)!);
        if (foreign.trim() !== '')
          counts[foreign.includes('\n> ') ? 'foreign answered' : 'foreign offered']++;
      }
      if (args.includes('--print')) console.log(JSON.stringify({ ...question, missed, hook: text }));
    }
    const names = new Map(places.map((folder) => [folder, projectName(folder)]));
    const all = [...byFolder];
    const total = all.reduce((sum, [, { questions }]) => sum + questions, 0);
    table(
      ['%', ...all.map(([folder]) => names.get(folder)!), 'all'],
      [
        ['questions', ...all.map(([, { questions }]) => String(questions)), String(total)],
        ...WAYS.map((way) => [
          way,
          ...all.map(([, { counts, questions }]) => share(counts[way], questions)),
          share(
            all.reduce((sum, [, { counts }]) => sum + counts[way], 0),
            total,
          ),
        ]),
      ],
    );
    const ms = (values: number[]) => median(values).toFixed(1);
    console.log(
      `\nmedian ms: search ${ms(times.search)}, passages ${ms(times.passages)}, recall ${ms(times.recall)}; the hook adds ${Math.round(tokens / total)} tokens per question`,
    );
  } finally {
    await close();
  }
}

type Times = { recall: number[]; search: number[]; passages: number[] };

async function bySearch(
  world: World,
  { question: query, project, quote }: AskedQuestion,
  counts: Counts,
  times: Times,
): Promise<string[]> {
  const missed: string[] = [];
  for (const grain of ['turn', 'exchange'] as const) {
    const from = performance.now();
    const { hits } = await search(world, { query, grain, limit: TOP, filters: { project } });
    times[grain === 'turn' ? 'search' : 'passages'].push(performance.now() - from);
    const way = grain === 'turn' ? 'search top 3' : 'passages top 3';
    if (hits.some((hit) => answers(JSON.stringify(hit), quote))) counts[way]++;
    else missed.push(way);
    if (grain === 'exchange' && hits.some((hit) => answers(passageOf(hit), quote)))
      counts['of these in the passage']++;
  }
  return missed;
}

function passageOf(hit: object): string {
  return 'passage' in hit ? JSON.stringify(hit.passage) : '';
}

async function byRecall(
  world: World,
  { question: topic, project, quote }: AskedQuestion,
  counts: Counts,
  times: Times,
): Promise<string[]> {
  const missed: string[] = [];
  for (const budget of BUDGETS) {
    const from = performance.now();
    const { text, tokens } = await recall(world, { topic, budget, project });
    times.recall.push(performance.now() - from);
    if (tokens > budget) throw new Error(`Over budget: ${tokens} of ${budget} tokens`);
    if (answers(text, quote)) counts[`recall ${budget}`]++;
    else missed.push(`recall ${budget}`);
  }
  return missed;
}

/** Whether the recall command named by an offer prints the answer. */
async function recallAnswers(
  world: World,
  { project, quote }: AskedQuestion,
  topic: string,
): Promise<boolean> {
  return answers((await recall(world, { topic, budget: 2000, project })).text, quote);
}

/** Runs the prompt hook with each prompt as the first of its own session. */
class HookAsker {
  readonly #world: World;
  readonly #quiet = new Map<string, Set<string>>();
  #asked = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** What the hook adds to this prompt beyond what it adds to a prompt that asks nothing. */
  async own(prompt: string, cwd: string): Promise<string> {
    const quiet = this.#quiet.get(cwd) ?? new Set((await this.#ask('ok, go on', cwd)).split('\n'));
    this.#quiet.set(cwd, quiet);
    const lines = (await this.#ask(prompt, cwd)).split('\n');
    return lines.filter((line) => !quiet.has(line)).join('\n');
  }

  async #ask(prompt: string, cwd: string): Promise<string> {
    const session = `${RUN}-0000-4000-8000-${String(++this.#asked).padStart(12, '0')}`;
    const input = {
      session_id: session,
      transcript_path: `/none/${session}.jsonl`,
      cwd,
      permission_mode: 'default',
      hook_event_name: 'UserPromptSubmit',
      prompt,
    };
    const open = { ...this.#world, places: { ...this.#world.places, cwd } };
    const close = async () => {};
    const out = await runHook(JSON.stringify(input), {
      keptOut: false,
      // One world serves all prompts.
      openWorld: () => ({
        ...open,
        archive: { ...open.archive, close },
        index: { ...open.index, close },
      }),
      detached: { add: () => {}, waiting: () => [], read: () => undefined, finish: async () => {} },
      failed: async (_, error) => {
        throw error;
      },
    });
    if (out === '') return '';
    return JSON.parse(out).hookSpecificOutput.additionalContext;
  }
}

function none(): Counts {
  return Object.fromEntries(WAYS.map((way) => [way, 0])) as Counts;
}

function share(count: number, of: number): string {
  return ((100 * count) / of).toFixed(1);
}

function projectName(folder: string): string {
  const name = /^(?:chat_jsonl|codex|claude-code)$/.test(basename(folder)) ? dirname(folder) : folder;
  return basename(name).replace(/^.*?_/, '').slice(0, 14);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
