import type { ProjectId } from '../../core/model/ids.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { World } from '../world.ts';
import type { IngestFileOptions } from './ingest-file.ts';

/** The settings of a project: its own over the global ones. */
export async function readingOf(world: World, project: ProjectId): Promise<IngestFileOptions> {
  const head = await world.archive.head(project);
  const { config } = await world.settings.resolve(head?.settings);
  return {
    originals: config.storage.originals,
    extent: config.keepit.extent,
    count: await loadTokenCounter(),
  };
}
