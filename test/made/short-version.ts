import { type Compressed, compress } from '../../src/core/compress/compress.ts';
import type { Turn } from '../../src/core/compress/turn.ts';
import type { StatedWords } from '../../src/core/compress/units/verdicts.ts';
import type { TokenCounter } from '../../src/core/text/tokens.ts';
import { settingsOf } from './turns.ts';

/** Makes versions with so many tokens, at a ratio. */
export function shortVersions(count: TokenCounter) {
  return (turns: Turn[], ratio: number, tokens: number, stated: StatedWords[] = []): Compressed =>
    compress({
      turns,
      stated,
      kept: [],
      outcomes: [],
      settings: settingsOf(),
      tiers: [{ endPercent: 100, compactionRatio: ratio, aggressiveness: 'moderate' }],
      inputTokens: ratio * tokens,
      count,
      header: { session: 's1', part: 1 },
    });
}
