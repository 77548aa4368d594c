import { runSteps, type Steps } from '../model/steps.ts';
import type { CompressSettings, KeepitOutcome, Receipt, Tier } from '../model/version.ts';
import type { TokenCounter } from '../text/tokens.ts';
import { budgetsOf, compressedBudget, sharesOf } from './choose/budgets.ts';
import { type Coverage, coverageOf } from './choose/coverage.ts';
import { dropKept } from './choose/drop-kept.ts';
import { type Fitted, fillUp, tokensOf, unitsBetween } from './choose/fill-up.ts';
import { costsOf, firstUnits, isOfL1, qualitiesOf, thinOut, turnTokens } from './choose/measure-units.ts';
import { SHORTFALLS, shortfallOf } from './choose/shortfall.ts';
import { ratiosOf, type Zone, zonesOf } from './choose/zones.ts';
import { placeKept } from './kept-places.ts';
import { messagesIn } from './messages-in.ts';
import { receiptOf } from './receipt.ts';
import type { KeptContent, Turn } from './turn.ts';
import { isChatOfPeople } from './units/chat-of-people.ts';
import { leadsAlone, leftOut, readUnits } from './units/read-units.ts';
import type { StatedWords } from './units/verdicts.ts';
import { layout } from './write/layout.ts';
import { BARE, FRAMES, type Frame, renderLines, type Selection } from './write/render-lines.ts';
import type { VersionLine } from './write/version-line.ts';

export type CompressInput = {
  turns: Turn[];
  /** The survivors. */
  kept: KeptContent[];
  outcomes: KeepitOutcome[];
  settings: CompressSettings;
  /** Resolved; one of 100 % where the mode is not tiered. */
  tiers: Tier[];
  /** Of the whole part: text, tool inputs, tool results. */
  inputTokens: number;
  count: TokenCounter;
  title?: string;
  header: { session: string; part: number };
  /** What is true at the end of these turns, and what was withdrawn. */
  stated?: readonly StatedWords[];
  /** False where nobody answers anyone: nothing is judged by what follows it. */
  isTalk?: boolean;
  /** What the version is wanted for: how well a turn fits it, from 0. */
  topic?: { score(turnAt: number): number };
};

export type Compressed = {
  lines: VersionLine[];
  markdown: string;
  jsonl: string;
  receipt: Receipt;
  /** Whether there is nothing more to say, however many tokens were allowed. */
  isAll: boolean;
  outputTokens: number;
  outputMessages: number;
};

/** Versions smaller than these carry no title, or no line that explains them. */
const TITLE_FROM = 200;
const LEGEND_FROM = 800;

/**
 * A shorter version of a session's part: extractive, deterministic, within its budget, kept content word for word.
 * Depends on nothing but its input.
 */
export function compress(input: CompressInput): Compressed {
  return runSteps(compressing(input));
}

/** The same, step by step. */
export function* compressing(input: CompressInput): Steps<Compressed> {
  const { turns, count, settings } = input;
  const manual = settings.mode === 'manual';
  const kept = placeKept(turns, input.kept);
  const ratios = ratiosOf(turns, settings, input.tiers);
  const read = yield* readUnits({ ...input, ratios }, kept);
  const { units, terse } = read;
  const firstUnit = firstUnits(units, turns.length);
  const tokens = yield* turnTokens(turns, units, kept, count);
  const total = tokens.reduce((sum, own) => sum + own, 0);
  const zones = zonesOf(turns, tokens, settings, input.tiers);
  const stays = settings.keepitMode === 'preserve-all' ? 0 : settings.decay.pinnedWeight;
  const outcomes = dropKept(zones, kept, input.outcomes, stays);
  for (const zone of zones) if (zone.telegraphic) thinOut(turns, units, firstUnit, zone);
  const costs = yield* costsOf(units, count);
  const { topic } = input;
  const qualities = qualitiesOf(units, turns, topic && (({ at }) => topic.score(at)));
  const isOut = leftOut(read);
  const coverage = coverageOf({ ...read, costs, qualities, isOut, isAlone: leadsAlone(read) });
  const selection: Selection = {
    turns,
    units,
    firstUnit,
    kept,
    chosen: coverage.chosen,
    terse,
    isChat: isChatOfPeople(turns),
  };
  const least = zones.map((zone) => (kept.size === 0 ? 0 : tokensOf(selection, BARE, zone, count)));
  const asked = budgetsOf(zones, input.inputTokens, total);
  if (manual) yield* compressByHand(selection, zones, asked, count);
  const allowed = asked.reduce((sum, budget) => sum + budget, 0);
  const budgets = sharesOf(zones, asked, least);
  const title = allowed >= TITLE_FROM && turns[0] ? titleLine(input, turns[0], allowed) : undefined;
  const titleTokens = title === undefined ? 0 : count(layout([title]).markdown) + 2;
  let titled = title !== undefined && reserve(budgets, least, titleTokens);
  const fillZones = function* (): Steps<Fitted[]> {
    const fitted: Fitted[] = [];
    // The newest first: older ones need not repeat it.
    for (let i = zones.length - 1; i >= 0; i--) {
      fitted[i] = yield* fill(selection, coverage, { ...zones[i]!, budget: budgets[i]! }, count);
    }
    return fitted;
  };
  let fitted = yield* fillZones();
  // Words of the session come before a title of it.
  if (titled && zones.length === 1 && isNearlyWhole(selection, costs, titleTokens)) {
    titled = false;
    budgets[0]! += titleTokens;
    coverage.release(coverage.pool([]), fitted[0]!.taken);
    fitted = yield* fillZones();
  }
  yield;
  const filled = { zones, fitted, title: titled ? title : undefined };
  const lines = trimmed(selection, filled, { allowed, costs, count });
  const { markdown } = layout(lines);
  const outputTokens = markdown === '' ? 0 : count(markdown);
  const finite = !manual && Number.isFinite(allowed);
  const reached = ratio(input.inputTokens, outputTokens);
  const shortfall = finite
    ? shortfallOf(selection, zones, { tokens: outputTokens, allowed, isOut })
    : undefined;
  return {
    lines,
    markdown,
    jsonl: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    receipt: receiptOf(turns, { lines, markdown }, outcomes, {
      asked: manual ? reached : askedRatio(input, allowed),
      reached,
      reason: shortfall && SHORTFALLS[shortfall](outputTokens, allowed),
    }),
    isAll: shortfall === 'all-said',
    outputTokens,
    outputMessages: messagesIn(turns, lines),
  };
}

/** Tokens that a version may take by its ratio or its tiers. Infinite where something is included whole. */
export function allowanceOf(input: CompressInput): number {
  const { turns, kept, settings, tiers, inputTokens, count } = input;
  const places = placeKept(turns, kept);
  const { units } = runSteps(readUnits({ ...input, ratios: ratiosOf(turns, settings, tiers) }, places));
  const tokens = runSteps(turnTokens(turns, units, places, count));
  const total = tokens.reduce((sum, own) => sum + own, 0);
  const zones = zonesOf(turns, tokens, settings, tiers);
  return budgetsOf(zones, inputTokens, total).reduce((sum, one) => sum + one, 0);
}

function* fill(
  selection: Selection,
  coverage: Coverage,
  zone: Zone & { budget: number },
  count: TokenCounter,
): Steps<Fitted> {
  if (zone.way === 'fit') return yield* fillUp(selection, coverage, zone, count);
  if (zone.way === 'whole') chooseWhole(selection, zone, 1);
  const frame = zone.way === 'whole' ? FRAMES[0]! : frameOfDropped(selection, zone, count);
  return { frame, taken: [], tokens: tokensOf(selection, frame, zone, count) };
}

function chooseWhole(selection: Selection, { from, to }: Zone, chosen: 0 | 1): void {
  for (const unit of unitsBetween(selection, from, to)) {
    if (isOfL1(selection.units[unit]!)) selection.chosen[unit] = chosen;
  }
}

/** An exchange compressed by hand gets less than it would take kept; one that is hardly more than its ask is kept. */
function* compressByHand(
  selection: Selection,
  zones: Zone[],
  asked: number[],
  count: TokenCounter,
): Steps<void> {
  for (const [index, zone] of zones.entries()) {
    if (zone.way !== 'fit') continue;
    yield;
    chooseWhole(selection, zone, 1);
    const budget = compressedBudget(asked[index]!, tokensOf(selection, FRAMES[0]!, zone, count));
    chooseWhole(selection, zone, 0);
    if (budget === undefined) zone.way = 'whole';
    asked[index] = budget ?? Number.POSITIVE_INFINITY;
  }
}

/** What is left of skipped messages gets a frame only where there is room for it. */
function frameOfDropped(selection: Selection, zone: Zone & { budget: number }, count: TokenCounter): Frame {
  return FRAMES.find((frame) => tokensOf(selection, frame, zone, count) <= zone.budget) ?? BARE;
}

/** All lines; should the whole count more than its zones did, the last ones taken go, and then what frames the rest. */
function trimmed(
  selection: Selection,
  { zones, fitted, title }: { zones: Zone[]; fitted: Fitted[]; title: VersionLine | undefined },
  { allowed, costs, count }: { allowed: number; costs: number[]; count: TokenCounter },
): VersionLine[] {
  for (let barest = 0; ; ) {
    const lines = renderLines(selection, zoneFrames(zones, fitted, barest), 0, selection.turns.length);
    if (title && barest === 0) lines.unshift(title);
    let over = lines.length === 0 ? 0 : count(layout(lines).markdown) - allowed;
    if (over <= 0 || barest === FRAMES.length - 1) return lines;
    const [largest] = fitted.filter((zone) => zone.taken.length > 0).sort((a, b) => b.tokens - a.tokens);
    if (!largest) barest++;
    while (largest && over > 0 && largest.taken.length > 0) {
      const unit = largest.taken.pop()!;
      selection.chosen[unit] = 0;
      over -= costs[unit]!;
    }
  }
}

/** The frame of each turn's zone, or a barer one. */
function zoneFrames(zones: Zone[], fitted: Fitted[], barest: number): (turn: number) => Frame {
  const frames: Frame[] = [];
  zones.forEach(({ from, to }, zone) => {
    const own = Math.max(barest, FRAMES.indexOf(fitted[zone]!.frame));
    for (let turn = from; turn < to; turn++) frames[turn] = FRAMES[own]!;
  });
  return (turn) => frames[turn] ?? BARE;
}

function titleLine(input: CompressInput, first: Turn, allowed: number): VersionLine {
  const { session, part } = input.header;
  const name = (input.title ?? '').replace(/\s+/g, ' ').trim();
  const where = `session ${session}, part ${part}`;
  const legend =
    'Headings are what was asked; below them is what the agent said, in its words, then the files and commands. What is missing was left out.';
  return {
    form: 'title',
    role: 'system',
    text: [name === '' ? where : `${name} (${where})`, ...(allowed >= LEGEND_FROM ? [legend] : [])].join(
      '\n\n',
    ),
    ts: first.line.ts,
    l1: [first.at],
    src: [first.line.src],
    exchange: first.exchange,
  };
}

/** Takes the title's tokens from the zone that has most to spare; says whether there was one. */
function reserve(budgets: number[], least: number[], tokens: number): boolean {
  let most = -1;
  budgets.forEach((budget, zone) => {
    if (most === -1 || budget - least[zone]! > budgets[most]! - least[most]!) most = zone;
  });
  if (most === -1 || budgets[most]! - least[most]! < 4 * tokens) return false;
  budgets[most]! -= tokens;
  return true;
}

/** Whether all of L1 is included, except for a little that would fit into the title's room. */
function isNearlyWhole({ units, chosen }: Selection, costs: number[], tokens: number): boolean {
  let missing = 0;
  for (let unit = 0; unit < units.length && missing <= 4 * tokens; unit++) {
    if (!chosen[unit] && isOfL1(units[unit]!)) missing += costs[unit]!;
  }
  return missing > 0 && missing <= 4 * tokens;
}

function askedRatio({ tiers, inputTokens }: CompressInput, allowed: number): number {
  return tiers.length === 1 ? tiers[0]!.compactionRatio : ratio(inputTokens, allowed);
}

function ratio(input: number, output: number): number {
  return output === 0 ? (input === 0 ? 1 : input) : Math.round((100 * input) / output) / 100;
}
