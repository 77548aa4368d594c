import type { Config } from '../../core/model/config-defaults.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { ESTIMATE_COUNTER, estimateTokens } from '../../core/text/estimate-tokens.ts';
import { loadTokenCounter, type TokenCounter } from '../../core/text/tokens.ts';
import type { OriginalsMode } from '../../ports/archive.ts';
import type { World } from '../world.ts';

/** How the files of a project are read. */
export type Reading = {
  originals: OriginalsMode;
  extent: 'paragraph' | 'message';
  count: TokenCounter;
  /** The name of `count`, where it only estimates: a sync counts again. */
  counter?: string;
};

/** By the settings of a project: its own over the global ones. Tokens are counted. */
export async function readingOf(world: World, project: ProjectId): Promise<Reading> {
  const head = await world.archive.head(project);
  const { config } = await world.settings.resolve(head?.settings);
  return { ...readBy(config), count: await loadTokenCounter() };
}

/** The same for callers that have no time to load the token counter: tokens are estimated. */
export function quickReading(config: Config): Reading {
  return { ...readBy(config), count: estimateTokens, counter: ESTIMATE_COUNTER };
}

function readBy({ storage, keepit }: Config): Pick<Reading, 'originals' | 'extent'> {
  return { originals: storage.originals, extent: keepit.extent };
}
