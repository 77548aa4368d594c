import type { LocationQuery, LocationQueryRaw } from 'vue-router';

export const STRATEGIES = ['recency', 'equal', 'proportional', 'relevance', 'manual'] as const;
export type Strategy = (typeof STRATEGIES)[number];
export const OUTPUT_FORMATS = ['both', 'markdown', 'jsonl'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
/** How a session can be recompressed for a composition: a level, or a preset of tiers. */
export const RECOMPRESSIONS = [
  'light',
  'moderate',
  'aggressive',
  'gentle-tiers',
  'standard-tiers',
  'aggressive-tiers',
] as const;
export type Recompression = (typeof RECOMPRESSIONS)[number];

/** What a usual model can take in. */
export const CONTEXT_WINDOW = 200_000;
const BUDGET = 16_000;

export type Component = {
  projectId: string;
  /** `current`: the session that runs in the project's folder. */
  sessionId: string;
  /** `auto`, `original`, or versions of parts. */
  spec: string;
  allocation?: number | undefined;
  recompression?: Recompression | undefined;
};

export type ComposeForm = {
  name: string;
  project: string;
  budget: number;
  strategy: Strategy;
  topic: string;
  format: OutputFormat;
  components: Component[];
};

const one = (value: LocationQuery[string] | undefined) => (typeof value === 'string' ? value : '');
const pick = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((it) => it === text);

/** What is in the address; what makes no sense there is left out. */
export function composeFormOf(query: LocationQuery): ComposeForm {
  const budget = Number(one(query.budget));
  return {
    name: one(query.name),
    project: one(query.project),
    budget: Number.isSafeInteger(budget) && budget > 0 ? budget : BUDGET,
    strategy: pick(STRATEGIES, one(query.strategy)) ?? 'recency',
    topic: one(query.topic),
    format: pick(OUTPUT_FORMATS, one(query.format)) ?? 'both',
    components: one(query.sessions)
      .split(',')
      .flatMap((text) => componentOf(text) ?? []),
  };
}

export function composeQueryOf(form: ComposeForm): LocationQueryRaw {
  return {
    ...(form.name === '' ? {} : { name: form.name }),
    ...(form.project === '' ? {} : { project: form.project }),
    ...(form.budget === BUDGET ? {} : { budget: String(form.budget) }),
    ...(form.strategy === 'recency' ? {} : { strategy: form.strategy }),
    ...(form.topic === '' ? {} : { topic: form.topic }),
    ...(form.format === 'both' ? {} : { format: form.format }),
    ...(form.components.length === 0 ? {} : { sessions: form.components.map(textOf).join(',') }),
  };
}

/** `PROJECT/SESSION:SPEC@TOKENS$LEVEL`, ids encoded: the signs between them are never in those. */
function textOf({ projectId, sessionId, spec, allocation, recompression }: Component): string {
  const ids = `${encodeURIComponent(projectId)}/${encodeURIComponent(sessionId)}`;
  const more = `${allocation === undefined ? '' : `@${allocation}`}${recompression === undefined ? '' : `$${recompression}`}`;
  return `${ids}${spec === 'auto' ? '' : `:${spec}`}${more}`;
}

function componentOf(text: string): Component | undefined {
  const read = /^([^/:@$]+)\/([^/:@$]+)(?::([\w+]+))?(?:@(\d{1,9}))?(?:\$([\w-]+))?$/.exec(text);
  if (!read) return undefined;
  const [, projectId = '', sessionId = '', spec = 'auto', allocation, level] = read;
  const recompression = pick(RECOMPRESSIONS, level);
  try {
    return {
      projectId: decodeURIComponent(projectId),
      sessionId: decodeURIComponent(sessionId),
      spec,
      ...(allocation === undefined || Number(allocation) < 1 ? {} : { allocation: Number(allocation) }),
      ...(recompression === undefined ? {} : { recompression }),
    };
  } catch {
    return undefined;
  }
}

/** What the server is asked. */
export function composeBodyOf(form: ComposeForm) {
  const allocations: Record<string, number> = {};
  const recompress: Record<string, ReturnType<typeof recompressOf>> = {};
  for (const { sessionId, allocation, recompression } of form.components) {
    // Its id is only known once it was synced.
    if (sessionId === 'current') continue;
    if (form.strategy === 'manual' && allocation !== undefined) allocations[sessionId] = allocation;
    if (recompression !== undefined) recompress[sessionId] = recompressOf(recompression);
  }
  return {
    ...(form.name.trim() === '' ? {} : { name: form.name.trim() }),
    ...(form.project === '' ? {} : { project: form.project }),
    ...(form.topic.trim() === '' ? {} : { topic: form.topic.trim() }),
    budget: form.budget,
    strategy: form.strategy,
    format: form.format,
    sessions: form.components.map(
      ({ sessionId, spec, recompression }) => `${sessionId}:${recompression === undefined ? spec : 'auto'}`,
    ),
    ...(Object.keys(allocations).length === 0 ? {} : { allocations }),
    ...(Object.keys(recompress).length === 0 ? {} : { recompress }),
  };
}

type Level = 'light' | 'moderate' | 'aggressive';
type Preset = 'gentle' | 'standard' | 'aggressive';
function recompressOf(recompression: Recompression): { level: Level } | { preset: Preset } {
  return recompression.endsWith('-tiers')
    ? { preset: recompression.replace('-tiers', '') as Preset }
    : { level: recompression as Level };
}

/** The choice for how a session was recompressed; a ratio of its own has none. */
export function recompressionOf(
  recompress: { level?: Level | undefined; preset?: Preset | undefined } | undefined,
): Recompression | undefined {
  return recompress?.preset === undefined
    ? recompress?.level
    : pick(RECOMPRESSIONS, `${recompress.preset}-tiers`);
}

/** What is left of a budget, shared out as it was used until now: nobody gets less as long as there is enough. */
export function shareRest(rest: number, used: readonly number[]): number[] {
  const sum = used.reduce((all, it) => all + it, 0);
  return used.map((it) => (sum === 0 || rest <= 0 ? 1 : Math.max(1, Math.floor((rest * it) / sum))));
}

/** Why it cannot be composed yet, in words; undefined when it can. */
export function composeProblem(form: ComposeForm): string | undefined {
  if (form.components.length === 0) return 'Add a session first.';
  if (!Number.isSafeInteger(form.budget) || form.budget < 1) return 'Give the budget as a number of tokens.';
  if (form.strategy !== 'manual') return undefined;
  const allocated = form.components.reduce((sum, it) => sum + (it.allocation ?? 0), 0);
  if (allocated === 0) return 'Say how many tokens each session may take, or choose another way to share.';
  if (allocated > form.budget)
    return `The allocations add up to ${allocated} tokens; the budget is ${form.budget}.`;
  return undefined;
}

/** The list with one item in another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, at) => at !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** The version chosen for a part in a spec such as `part1_v002+part2_v001`; `auto` where none is named. */
export function versionOfPart(spec: string, part: number): string {
  return spec.split('+').find((it) => it.startsWith(`part${part}_`)) ?? 'auto';
}

/** The spec with another version for one part. */
export function withPart(spec: string, part: number, versionId: string): string {
  const others = spec.split('+').filter((it) => it.startsWith('part') && !it.startsWith(`part${part}_`));
  const all = versionId === 'auto' ? others : [...others, versionId];
  return all.length === 0 ? 'auto' : all.sort().join('+');
}
