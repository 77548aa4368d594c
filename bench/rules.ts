// Rules in what users say: found rules compared to labels; the baseline looks for "always", "never", "remember", "from now on".
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readL1 } from '../src/app/find/read-l1.ts';
import { allSessions } from '../src/app/find/sessions.ts';
import { sync } from '../src/app/sync/sync.ts';
import { CANDIDATE, OUTRIGHT, statementsIn } from '../src/core/layers/exchanges/statements.ts';
import { sentencesOf } from '../src/core/text/sentences.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';

type Labels = Record<string, [src: number, sentence: number, label: 0 | 1][]>;
type Sentence = { lasts: boolean; score: number; bare: boolean };

const BARE = /\b(?:always|never|remember|from now on)\b/i;

export async function run(folders: string[]): Promise<void> {
  if (folders.length === 0 || folders.some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folders of the transcripts that the labels refer to. Usage: npm run bench -- rules DIR ...',
    );
  const labels = JSON.parse(readFileSync(join(import.meta.dirname, 'rule-labels.json'), 'utf8')) as Record<
    'tuned' | 'other' | 'held',
    Labels
  >;
  const world = makeWorld();
  try {
    await sync(world, { from: folders });
    const texts = new Map<string, Map<number, string>>();
    for (const row of await allSessions(world)) {
      const said = (await readL1(world, row)).filter((line) => line.role === 'user' && line.text);
      texts.set(row.sessionId, new Map(said.map((line) => [line.src, line.text ?? ''])));
    }
    for (const [name, set] of [
      ['tuned on', labels.tuned],
      ['other authors, checked afterwards', labels.other],
      ['held out: labeled after the cues were final', labels.held],
    ] as const) {
      const { found, missing } = sentencesFor(set, texts);
      const lasting = found.filter(({ lasts }) => lasts).length;
      console.log(
        `\n${name}: ${found.length} labeled sentences, ${lasting} meant to last${missing > 0 ? `, ${missing} not found` : ''}\n`,
      );
      table(
        ['way', 'found', 'right', 'precision', 'recall'],
        [
          figures('"always", "never", "remember", "from now on"', found, ({ bare }) => bare),
          figures('stored at once', found, ({ score }) => score >= OUTRIGHT),
          figures('stored or candidate', found, ({ score }) => score >= CANDIDATE),
        ],
      );
    }
  } finally {
    await world.remove();
  }
}

function sentencesFor(
  labels: Labels,
  texts: Map<string, Map<number, string>>,
): { found: Sentence[]; missing: number } {
  const found: Sentence[] = [];
  let missing = 0;
  for (const [session, places] of Object.entries(labels)) {
    for (const [src, sentence, label] of places) {
      const text = texts.get(session)?.get(src);
      const words = text === undefined ? undefined : sentencesOf(text)[sentence];
      if (text === undefined || words === undefined) missing++;
      else {
        const score = statementsIn(text, src).find((it) => it.sentence === sentence)?.score ?? 0;
        found.push({ lasts: label === 1, score, bare: BARE.test(words) });
      }
    }
  }
  return { found, missing };
}

function figures(name: string, sentences: Sentence[], takes: (sentence: Sentence) => boolean): string[] {
  const taken = sentences.filter(takes);
  const right = taken.filter(({ lasts }) => lasts).length;
  const share = (of: number) => (of === 0 ? '-' : (right / of).toFixed(2));
  return [
    name,
    String(taken.length),
    String(right),
    share(taken.length),
    share(sentences.filter(({ lasts }) => lasts).length),
  ];
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
