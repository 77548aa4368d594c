import { z } from 'zod';
import { stampFields } from './record-stamp.ts';
import { SEMANTIC_TYPES } from './semantic-types.ts';

/** Where something was said or done. */
export const factSourceSchema = z.object({
  /** Empty where nothing was said in a session: a note by hand. */
  sessionId: z.string(),
  messageUuid: z.string(),
  excerpt: z.string(),
  exchange: z.string(),
  ts: z.string(),
  /** Byte offset of the message in the original. */
  src: z.number().int(),
});
export type FactSource = z.infer<typeof factSourceSchema>;

export type Fact = {
  id: string;
  /** Whose words, the user's or the agent's: only a user's make a rule. */
  source: 'user' | 'assistant';
  confidence: number;
  /** What was said or happened against it since it was last settled. */
  contradictions: number;
  last_validated: string;
  validatedByUser: boolean;
  sources: FactSource[];
  against: FactSource[];
};

export type Rule = Fact & { content: string };
export type Solution = Fact & {
  problem: string;
  solution: string;
  attempts: number;
  /** `repeated`: failed ten times or more before; `breakthrough`: failed, files changed, passed. */
  trigger: 'repeated' | 'breakthrough';
  command: string;
  files: string[];
};
export type CoreLogic = Fact & { feature: string; description: string; files: string[] };
export type Semantic = Fact & {
  type: (typeof SEMANTIC_TYPES)[number];
  content: string;
  extractedAt: string;
  /** What it took the place of, and the words that took that back. */
  replaced?: Replaced[];
};
export type Replaced = { was: string; by: string };

/** Said once, and not surely meant to last: becomes a rule or a memory when it comes again, or when it is confirmed. */
export type FactCandidate = {
  id: string;
  content: string;
  kind: 'rule' | (typeof SEMANTIC_TYPES)[number];
  score: number;
  /** Set where only the agent said it. */
  source?: 'assistant';
  /** Share of such statements that readers would keep; unknown for a sentence of the user's that is no statement. */
  confidence?: number;
  sources: FactSource[];
};

/** What the user said is not true; it stays in the history. */
export type RejectedFact = Pick<FactCandidate, 'id' | 'content' | 'kind' | 'sources'> & {
  at: string;
  note: string;
};

/** Waits for a user or an agent to say: keep, correct or delete. */
export type Review = { id: string; contradictions: number; since: string };

/** What lasts of the sessions of someone else. It obeys nobody: to count, this user must confirm it. */
export type OtherFact = Fact & {
  by: string;
  kind: 'rule' | 'solution' | 'core_logic' | (typeof SEMANTIC_TYPES)[number];
  content: string;
};

/** `memory/facts.json` (L4); `fact-file.ts` checks it. */
export type FactFile = {
  /** `LAYERS_ENGINE` of its writer. */
  engine: number;
  /** The oldest `REFINE_ENGINE` of the sessions it was made from; not set by versions that did not know. */
  refined?: number;
  keywords: Record<string, string[]>;
  permanent: { rules: Rule[]; solutions: Solution[]; core_logic: CoreLogic[]; semantic: Semantic[] };
  candidates: FactCandidate[];
  reviews: Review[];
  others?: OtherFact[];
  rejected?: RejectedFact[];
  stats: { total_exchanges: number; total_concepts: number; last_updated: string };
};

const base = {
  editId: z.string(),
  at: z.string(),
  factId: z.string(),
  by: z.enum(['user', 'assistant']),
  ...stampFields,
};

/** What a user or an agent did to the facts. Only ever added; they apply in the order of their stamps. */
export const factEditSchema = z.discriminatedUnion('action', [
  z.object({
    ...base,
    action: z.literal('add'),
    kind: z.enum(['rule', ...SEMANTIC_TYPES]),
    content: z.string(),
    /** The session whose words they are, where the user settled a fact that it gave once: a purge takes them out. */
    from: z.string().optional(),
  }),
  z.object({ ...base, action: z.literal('confirm') }),
  z.object({ ...base, action: z.literal('correct'), content: z.string() }),
  /** A tombstone: a rebuild leaves the fact out. */
  z.object({ ...base, action: z.literal('forget') }),
  /** The user marked it as not true: no layer states it, and searches mark where it was said. */
  z.object({
    ...base,
    action: z.literal('reject'),
    note: z.string(),
    /** Messages by session and byte in the original. */
    places: z.array(z.object({ sessionId: z.string(), src: z.number().int() })),
    /** The session of the first of them: a purge takes the edit out with it. */
    from: z.string().optional(),
  }),
  /** A review that ended well. */
  z.object({ ...base, action: z.literal('keep') }),
  /** An agent or a user saw something that speaks against it. */
  z.object({ ...base, action: z.literal('contradict'), note: z.string() }),
  /** Takes back another edit of the same user. */
  z.object({ ...base, action: z.literal('undo'), of: z.string() }),
  /** Offered to the team, in these words. */
  z.object({
    ...base,
    action: z.literal('promote'),
    kind: z.string().max(40),
    content: z.string().max(2000),
  }),
  /** What a member says about the offer of another one: `of` is its edit. */
  z.object({
    ...base,
    action: z.literal('team-review'),
    of: z.string(),
    verdict: z.enum(['accept', 'correct', 'refuse']),
    content: z.string().max(2000).optional(),
    note: z.string().max(500).optional(),
  }),
]);
export type FactEdit = z.infer<typeof factEditSchema>;
