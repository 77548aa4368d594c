import { tiersOf } from '../../core/compress/choose/tiers.ts';
import { compressing } from '../../core/compress/compress.ts';
import type { Turn } from '../../core/compress/turn.ts';
import type { StatedWords } from '../../core/compress/units/verdicts.ts';
import { layout } from '../../core/compress/write/layout.ts';
import type { VersionLine } from '../../core/compress/write/version-line.ts';
import type { EffectiveMarker } from '../../core/keepit/overlays.ts';
import type { CompressSettings } from '../../core/model/version.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { inSteps } from '../in-steps.ts';
import { marksOf } from '../keepit/marker-outcomes.ts';

/** The text of a stretch of a session in a composition. The composition has a heading of its own for the session. */
export type RenderedText = { lines: VersionLine[]; markdown: string; tokens: number; messages: number };

export type RenderInput = {
  turns: Turn[];
  stated: readonly StatedWords[];
  markers: EffectiveMarker[];
  settings: CompressSettings;
  /** The budget is this, divided by the ratio. */
  inputTokens: number;
  count: TokenCounter;
  topic?: { score(turnAt: number): number } | undefined;
  session: string;
  part: number;
};

/** A text without a version: for a topic, for a day, or for an unfinished exchange. */
export async function renderTurns(input: RenderInput, signal?: AbortSignal): Promise<RenderedText> {
  const { turns, settings, markers, count, topic } = input;
  const tiers = tiersOf(settings);
  const { kept, outcomes } = marksOf(markers, turns, settings, tiers);
  const steps = compressing({
    turns,
    stated: input.stated,
    kept,
    outcomes: outcomes.map(({ verdict: _, ...outcome }) => outcome),
    settings,
    tiers,
    inputTokens: input.inputTokens,
    count,
    header: { session: input.session, part: input.part },
    ...(topic === undefined ? {} : { topic }),
  });
  const { lines, outputMessages } = await inSteps(steps, signal);
  return renderedText(lines, outputMessages, count);
}

export function renderedText(lines: VersionLine[], messages: number, count: TokenCounter): RenderedText {
  const shown = withoutEqualTimes(lines.filter((line) => line.form !== 'title'));
  const { markdown } = layout(shown);
  return { lines: shown, markdown, tokens: markdown === '' ? 0 : count(markdown), messages };
}

/** A time that was shown is not repeated within its minute. */
function withoutEqualTimes(lines: VersionLine[]): VersionLine[] {
  let minute = '';
  return lines.map((line) => {
    if (line.form !== 'ask' || line.frame !== undefined) return line;
    const same = line.ts.slice(0, 16) === minute;
    minute = line.ts.slice(0, 16);
    return same ? { ...line, frame: 'plain' } : line;
  });
}
