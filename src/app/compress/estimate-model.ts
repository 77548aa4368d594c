import type { Compressed, CompressInput } from '../../core/compress/compress.ts';
import { costOf } from '../../core/model/model-names.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { isAnswered, mostOf } from '../model/call.ts';
import type { Engine } from '../model/engine.ts';
import type { World } from '../world.ts';
import { laidOut } from './model-layout.ts';
import { chunkRequest, planOf } from './model-plan.ts';

/** What a version would ask for and cost at most, before anything is asked. */
export type ModelEstimate = {
  service: string;
  model: string;
  calls: number;
  /** Calls that were answered before and cost nothing. */
  answered: number;
  inputTokens: number;
  outputTokens: number;
  /** At most; undefined where nobody knows the price. */
  mostInputTokens: number;
  mostOutputTokens: number;
  usd?: number;
  mostUsd?: number;
};

/** What is certain whatever a model answers, and what the answers would cost. Asks nothing. */
export async function estimateByModel(
  world: World,
  engine: Engine,
  ref: SessionRef,
  input: CompressInput,
): Promise<{ compressed: Compressed; estimate: ModelEstimate }> {
  const plan = planOf(input);
  const { chunks } = plan;
  const estimate: ModelEstimate = {
    service: engine.model.service,
    model: engine.id,
    calls: chunks.length,
    answered: 0,
    inputTokens: 0,
    outputTokens: 0,
    mostInputTokens: 0,
    mostOutputTokens: 0,
  };
  for (const chunk of chunks) {
    const request = chunkRequest(ref, chunk);
    if (await isAnswered(world, engine, request)) {
      estimate.answered++;
      continue;
    }
    const most = mostOf(engine, request, input.count);
    estimate.inputTokens += input.count(request.system) + input.count(request.prompt);
    estimate.outputTokens += chunk.pieces.reduce((sum, { target }) => sum + target, 0);
    estimate.mostInputTokens += most.input;
    estimate.mostOutputTokens += most.output;
  }
  if (engine.price) {
    const { inputTokens: input_, outputTokens: output, mostInputTokens, mostOutputTokens } = estimate;
    estimate.usd = costOf(engine.price, { input: input_, output });
    estimate.mostUsd = costOf(engine.price, { input: mostInputTokens, output: mostOutputTokens });
  }
  const nothing = { compressed: new Map(), missing: new Map() };
  return { compressed: laidOut(input, plan, nothing), estimate };
}
