import type { CompressOutcome } from '../../../app/compress/compress.ts';
import type { ModelEstimate } from '../../../app/compress/estimate-model.ts';
import { weightText } from '../../../core/keepit/decay.ts';
import type { Receipt } from '../../../core/model/version.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';
import { usd } from './usd.ts';

const SHOWN = 8;

/** The outcome of each part, for a person. */
export function printOutcomes(
  console: Console,
  session: string,
  outcomes: CompressOutcome[],
  dryRun: boolean,
): void {
  for (const outcome of outcomes) {
    if (outcome.estimate) {
      printEstimate(console, outcome, outcome.estimate);
      continue;
    }
    const { version, part, inputTokens, outputTokens, compressionRatio, inputMessages } = outcome;
    const name = version?.versionId ?? `part ${part}`;
    const verb = dryRun ? 'would be' : outcome.existed ? 'already existed:' : 'made:';
    const share = `${count(inputTokens)} to ${count(outputTokens)} tokens (${compressionRatio}:1)`;
    console.print(
      `${console.style.accent(name)} ${verb} ${share}, ${plural(inputMessages, 'message')} to ${count(outcome.outputMessages)}`,
    );
    for (const line of receiptLines(outcome.receipt, outcome.thresholds)) console.print(`  ${line}`);
    if (version) console.print(`  ${console.style.dim(`summaries/${session}/${version.file}.md`)}`);
  }
  const versions = outcomes.flatMap(({ version }) => (version ? [version.versionId] : []));
  const [first] = versions;
  if (first)
    console.note(
      `Read it: keepsake versions ${short(session)} ${first} --markdown   Compare: keepsake diff ${short(session)} original ${first}`,
    );
}

/** What a version by a model would cost. */
function printEstimate(
  console: Console,
  { part, inputTokens, receipt }: CompressOutcome,
  estimate: ModelEstimate,
): void {
  const { calls, answered, service, model } = estimate;
  const known = answered === 0 ? '' : `, ${count(answered)} of them cached and free`;
  const cost =
    estimate.usd === undefined
      ? 'Its price is unknown. Set it: keepsake config set model.price IN/OUT'
      : `About ${usd(estimate.usd)}, at most ${usd(estimate.mostUsd ?? 0)}.`;
  const kept = receipt.keepits.filter((outcome) => outcome.survives).length;
  console.print(
    `${console.style.accent(`part ${part}`)} would be written by ${cleanLine(model)} (${service}): ${count(inputTokens)} tokens at ${receipt.askedRatio}:1`,
    `  ${plural(calls, 'call')}${known}; about ${count(estimate.inputTokens)} tokens in and ${count(estimate.outputTokens)} out`,
    `  ${cost}`,
    ...(receipt.keepits.length === 0 ? [] : [`  keepits: ${kept} preserved word for word`]),
  );
}

/** A receipt in a few lines. */
export function receiptLines(receipt: Receipt, thresholds: number[] = []): string[] {
  const kept = receipt.keepits.filter((outcome) => outcome.survives);
  const lost = receipt.keepits.filter((outcome) => !outcome.survives);
  const lines: string[] = [];
  if (receipt.keepits.length > 0) {
    const from = thresholds.length === 1 ? ` (threshold ${weightText(thresholds[0]!)})` : '';
    lines.push(`keepits: ${kept.length} preserved, ${lost.length} summarized${from}`);
    for (const outcome of lost.slice(0, SHOWN))
      lines.push(`  ${outcome.markerId.slice(0, 10)}  ${outcome.why}`);
    if (lost.length > SHOWN) lines.push(`  and ${lost.length - SHOWN} more`);
  }
  const tallies = (['paths', 'commands', 'errors'] as const)
    .filter((kind) => receipt[kind].total > 0)
    .map((kind) => `${kind} ${receipt[kind].kept} of ${receipt[kind].total}`);
  if (tallies.length > 0) lines.push(`included: ${tallies.join(', ')}`);
  if (receipt.reason) lines.push(cleanLine(receipt.reason));
  const dropped = receipt.dropped ?? [];
  if (dropped.length > 0) {
    lines.push(
      `${plural(dropped.length, 'sentence')} of the model left out, because the session does not support them.`,
    );
    for (const it of dropped.slice(0, SHOWN)) lines.push(`  ${cleanLine(it)}`);
    if (dropped.length > SHOWN) lines.push(`  and ${dropped.length - SHOWN} more`);
  }
  return lines;
}

function short(session: string): string {
  return session.length > 36 ? session : session.slice(0, 8);
}
