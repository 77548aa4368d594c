import type { Command } from 'commander';
import type { Reads } from '../../../app/reads.ts';
import { memoryProject } from '../../../app/rolling/project.ts';
import type { World } from '../../../app/world.ts';
import type { ProjectId } from '../../../core/model/ids.ts';
import { type Cli, commonOptions } from '../cli.ts';

export type ProjectOption = { project?: string };

/** A word of `memory`, with the options that each has. */
export function memoryWord(command: Command, name: string, about: string): Command {
  const made = command.command(name).description(about);
  made.option('--project <project>', "a project: id, path or name (default: this folder's)");
  commonOptions(made);
  // `memory --project shop list` means the same as `memory list --project shop`.
  made.hook('preAction', (_, word) => {
    if (word.getOptionValue('project') === undefined)
      word.setOptionValue('project', command.getOptionValue('project'));
  });
  return made;
}

/** The project that a word is about. */
export async function memoryAt(
  cli: Cli,
  options: ProjectOption,
  reads?: Reads,
): Promise<{ world: World; project: ProjectId }> {
  const world = await cli.world(reads);
  return { world, project: await memoryProject(world, options.project) };
}
