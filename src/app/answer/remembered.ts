import { addFact, type NewFact } from '../layers/facts-edit.ts';
import type { World } from '../world.ts';

/** Stores a sentence in the name of its speaker and confirms it. An agent's sentence is not a rule until the user confirms it. */
export async function answerRemembered(
  world: World,
  fact: NewFact & { by: 'user' | 'assistant' },
): Promise<string> {
  const { id, content } = await addFact(world, fact);
  const waits =
    fact.by === 'assistant'
      ? ` The assistant added it, so it has no effect until the user runs \`keepsake facts confirm ${id}\`.`
      : '';
  return `Remembered as ${id}: ${content}${waits}`;
}
