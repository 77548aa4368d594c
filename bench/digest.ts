// How much of what an agent itself found worth remembering is in our compression of the same text.
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { type Compressed, compress } from '../src/core/compress/compress.ts';
import type { Turn } from '../src/core/compress/turn.ts';
import type { CompressSettings } from '../src/core/model/version.ts';
import { loadTokenCounter, type TokenCounter } from '../src/core/text/tokens.ts';
import { isMain, table } from './bench-table.ts';
import { type Gold, goldOf, type Score, scoreOf } from './digest-gold.ts';
import { PEERS, wholeText } from './digest-peers.ts';
import { readSession } from './session-turns.ts';

const RATIOS = [10, 20, 50];
/** What was said before a summary must be worth one. */
const LEAST_TOKENS = 20_000;

export type Case = { turns: Turn[]; tokens: number; gold: Gold };

export async function run([folder]: string[]): Promise<void> {
  if (!folder) throw new Error('Give the folder of transcripts: npm run bench -- digest DIR');
  const count = await loadTokenCounter();
  const sessions = await casesOf(folder, count);
  const halves = {
    'sessions it was tuned on': sessions.filter((_, index) => index % 2 === 0),
    'the other sessions': sessions.filter((_, index) => index % 2 === 1),
  };
  console.log('identifiers . words . best match of a bullet, % of those that the source holds\n');
  for (const [name, half] of Object.entries(halves)) {
    const cases = half.flat();
    const tokens = cases.reduce((sum, one) => sum + one.tokens, 0) / cases.length;
    console.log(
      `${name}: ${half.length}, ${cases.length} summaries, ${Math.round(tokens)} tokens before each`,
    );
    const rows = Object.entries(PEERS).map(([way, peer]) => [
      way,
      ...RATIOS.map((ratio) =>
        shown(cases.map((one) => scoreOf(one.gold, peer(one.turns, one.tokens / ratio, count)))),
      ),
    ]);
    for (const telegraphic of [false, true]) {
      const scores = RATIOS.map((ratio) =>
        shown(cases.map((one) => scoreOf(one.gold, digest(one, ratio, telegraphic, count).markdown))),
      );
      rows.push([telegraphic ? 'keepsake, telegraphic prose' : 'keepsake', ...scores]);
    }
    table(['way', ...RATIOS.map((ratio) => `1/${ratio}`)], rows);
    console.log('');
  }
  speed(sessions.flat(), count);
}

/** By session, those with a summary only. */
export async function casesOf(folder: string, count: TokenCounter): Promise<Case[][]> {
  const files = await openTranscripts().find(folder, []);
  const found: Case[][] = [];
  for (const { path } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const { turns, summaries, cwd } = readSession(path, count);
    const cases = summaries
      .filter(({ tokens }) => tokens >= LEAST_TOKENS)
      .map(({ text, upTo, tokens }) => {
        const before = turns.slice(0, upTo);
        const plain = (words: string) => (cwd === '' ? words : words.replaceAll(`${cwd}/`, ''));
        return { turns: before, tokens, gold: goldOf(plain(text), plain(wholeText(before))) };
      });
    if (cases.length > 0) found.push(cases);
  }
  return found;
}

export function digest(
  { turns, tokens }: Omit<Case, 'gold'>,
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
    Math.round((100 * scores.reduce((sum, one) => sum + one[part], 0)) / scores.length);
  return `${mean('identifiers')}.${mean('words')}.${mean('bullets')}`;
}

/** The same session again and again, longer each time: the time a token takes should stay. */
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
  return { turns: copies, tokens: Math.round(tokens * times) };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
