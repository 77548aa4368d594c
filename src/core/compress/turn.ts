import type { L1Line } from '../model/l1.ts';

/** One line of L1 with what the original says beyond it. All text is redacted already. */
export type Turn = {
  line: L1Line;
  /** Number of the line in L1, from 1. */
  at: number;
  /** The exchange's id, `ex_...`. */
  exchange: string;
  /** Which message of the part it belongs to, from 1: calls have a message, too. */
  message?: number;
  /** The user went back and asked again. */
  abandoned: boolean;
  /** Set on tool lines. */
  detail?: ToolDetail;
};

export type ToolDetail = { input?: Record<string, unknown>; output?: string; isError: boolean };

/** A keepit whose content must be kept word for word, at the turn with this `src`. */
export type KeptContent = { markerId: string; src: number; content: string; weight: number };
