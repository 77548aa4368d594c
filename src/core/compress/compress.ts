import type { CompressionSettings, KeepitFate, Receipt, Tier } from '../model/version.ts';
import type { TokenCounter } from '../text/tokens.ts';
import type { Kept, Turn } from './turn.ts';
import type { VersionLine } from './version-line.ts';

export type CompressInput = {
  turns: Turn[];
  /** The survivors. */
  kept: Kept[];
  fates: KeepitFate[];
  settings: CompressionSettings;
  /** Resolved; one of 100 % where the mode is not tiered. */
  tiers: Tier[];
  /** Of the whole part: text, tool inputs, tool results. */
  inputTokens: number;
  count: TokenCounter;
  title?: string;
  header: { session: string; part: number };
  /** What the version is wanted for: how well a turn fits it, from 0. */
  topic?: { score(turnAt: number): number };
};

export type Compressed = {
  lines: VersionLine[];
  markdown: string;
  jsonl: string;
  receipt: Receipt;
  outputTokens: number;
  outputMessages: number;
};
