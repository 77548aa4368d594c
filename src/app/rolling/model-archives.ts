import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { ArchiveSummary } from '../../core/rolling/archive-summary.ts';
import { askArchive } from '../../core/rolling/ask.ts';
import { readArchive } from '../../core/rolling/read.ts';
import { askModel } from '../model/call.ts';
import { type Engine, engineLabel } from '../model/engine.ts';
import type { World } from '../world.ts';

/** A model's summary of an archive of memory.md. A fault where nothing in the answer is sound. */
export async function summarizeByModel(
  world: World,
  engine: Engine,
  { project, file, text }: { project: ProjectId; file: string; text: string },
  signal?: AbortSignal,
): Promise<ArchiveSummary> {
  const request = { use: 'archives' as const, ...askArchive(text), project };
  const isSound = (answer: string) => readArchive(answer, text) !== undefined;
  const answer = await askModel(world, engine, request, { signal, isSound });
  const archive = readArchive(answer.text, text);
  if (!archive)
    throw new Fault('model', `${engine.id} gave no usable summary of ${file}. Nothing was written.`, {
      hint: 'Run the command again, choose another model with --model, or use --model extractive to write it offline.',
    });
  return { sourceFile: file, generatedAt: world.clock.now(), ...archive.summary, by: engineLabel(engine) };
}
