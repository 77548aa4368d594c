// How much of what an agent's own summary kept is in our compression of the same text.
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { statedWords } from '../src/app/compress/stated-words.ts';
import { type Compressed, compress } from '../src/core/compress/compress.ts';
import type { Turn } from '../src/core/compress/turn.ts';
import type { StatedWords } from '../src/core/compress/units/verdicts.ts';
import type { CompressSettings } from '../src/core/model/version.ts';
import { loadTokenCounter, type TokenCounter } from '../src/core/text/tokens.ts';
import { isMain, table } from './bench-table.ts';
import { type Gold, goldOf, type Score, scoreOf } from './digest-gold.ts';
import { PEERS, wholeText } from './digest-peers.ts';
import { readSession } from './session-turns.ts';

const RATIOS = [10, 20, 50];
/** The text before a summary must have at least this many tokens to be compared. */
const LEAST_TOKENS = 20_000;

export type Case = { turns: Turn[]; stated: StatedWords[]; tokens: number; gold: Gold };

export async function run(folders: string[]): Promise<void> {
  if (folders.length === 0)
    throw new Error(
      'Missing folders of transcripts (one per project). Usage: npm run bench -- digest DIR ...',
    );
  const count = await loadTokenCounter();
  console.log(
    'identifiers . words . bullets in a paragraph . in 600 characters, % of what the source contains\n',
  );
  const all: Case[] = [];
  for (const folder of folders) {
    const cases = (await casesOf(folder, count)).flat();
    if (cases.length === 0) continue;
    all.push(...cases);
    scores(folder.split('/').slice(-2).join('/'), cases, count);
  }
  if (folders.length > 1) scores('all', all, count);
  speed(all, count);
}

function scores(name: string, cases: Case[], count: TokenCounter): void {
  const tokens = cases.reduce((sum, one) => sum + one.tokens, 0) / cases.length;
  console.log(`${name}: ${cases.length} summaries, ${Math.round(tokens)} tokens before each`);
  const rows = Object.entries(PEERS).map(([way, peer]) => [
    way,
    ...RATIOS.map((ratio) =>
      shown(cases.map((one) => scoreOf(one.gold, peer(one.turns, one.tokens / ratio, count)))),
    ),
  ]);
  for (const telegraphic of [false, true]) {
    const own = RATIOS.map((ratio) =>
      shown(cases.map((one) => scoreOf(one.gold, digest(one, ratio, telegraphic, count).markdown))),
    );
    rows.push([telegraphic ? 'keepsake, telegraphic prose' : 'keepsake', ...own]);
  }
  table(['way', ...RATIOS.map((ratio) => `1/${ratio}`)], rows);
  console.log('');
}

/** By session, only those with a summary. */
export async function casesOf(folder: string, count: TokenCounter): Promise<Case[][]> {
  const files = await openTranscripts().find(folder, []);
  const found: Case[][] = [];
  for (const { path } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const { turns, lines, summaries, cwd } = readSession(path, count);
    const cases = summaries
      .filter(({ tokens }) => tokens >= LEAST_TOKENS)
      .map(({ text, upTo, tokens }) => {
        const before = turns.slice(0, upTo);
        const plain = (words: string) => (cwd === '' ? words : words.replaceAll(`${cwd}/`, ''));
        const gold = goldOf(plain(text), plain(wholeText(before)));
        return { turns: before, stated: statedWords(lines.slice(0, upTo)), tokens, gold };
      })
      .filter(({ gold }) => gold.bullets.length > 0);
    if (cases.length > 0) found.push(cases);
  }
  return found;
}

export function digest(
  { turns, stated, tokens }: Omit<Case, 'gold'>,
  ratio: number,
  telegraphic: boolean,
  count: TokenCounter,
): Compressed {
  const settings: CompressSettings = {
    mode: 'uniform',
    model: 'extractive',
    skipFirstMessages: 0,
    keepitMode: 'decay',
    sessionDistance: 0,
    telegraphic,
    decay: {
      compressionBase: { light: 0.1, moderate: 0.3, aggressive: 0.5 },
      maxSessionDistance: 10,
      pinnedWeight: 1,
    },
    weights: {},
  };
  const tiers = [{ endPercent: 100, compactionRatio: ratio, aggressiveness: 'aggressive' as const }];
  return compress({
    turns,
    stated,
    kept: [],
    outcomes: [],
    settings,
    tiers,
    inputTokens: tokens,
    count,
    header: { session: 'bench', part: 1 },
  });
}

function shown(scores: Score[]): string {
  const mean = (part: keyof Score) =>
    ((100 * scores.reduce((sum, one) => sum + one[part], 0)) / scores.length).toFixed(1);
  return `${mean('identifiers')} ${mean('words')} ${mean('bullets')} ${mean('window')}`;
}

/** Makes the same session longer and longer: the time per token should stay constant. */
function speed(cases: Case[], count: TokenCounter): void {
  const [longest] = [...cases].sort((a, b) => b.tokens - a.tokens);
  if (!longest) return;
  const rows = [0.1, 0.3, 1, 3, 10].map((times) => {
    const one = stretched(longest, times);
    const start = performance.now();
    const { outputTokens } = digest(one, 10, false, count);
    const ms = performance.now() - start;
    const peak = process.resourceUsage().maxRSS / 1024;
    return [
      String(one.tokens),
      String(outputTokens),
      ms.toFixed(0),
      ((1000 * ms) / one.tokens).toFixed(1),
      peak.toFixed(0),
    ];
  });
  table(['tokens', 'of the digest, 1/10', 'ms', 'µs a token', 'peak MiB of the run so far'], rows);
}

function stretched({ turns, tokens }: Case, times: number): Omit<Case, 'gold'> {
  const whole = Math.floor(times);
  const copies: Turn[] = [];
  for (let copy = 0; copy < whole; copy++) {
    for (const turn of turns)
      copies.push({ ...turn, at: copies.length + 1, exchange: `${turn.exchange}_${copy}` });
  }
  for (const turn of turns.slice(0, Math.round((times - whole) * turns.length)))
    copies.push({ ...turn, at: copies.length + 1 });
  return { turns: copies, stated: [], tokens: Math.round(tokens * times) };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
