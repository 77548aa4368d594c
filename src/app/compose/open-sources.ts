import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { ingest } from '../intake/ingest.ts';
import { openSource, type SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import type { Member } from './members.ts';

/** As `openSource`, for many sessions of a project whose manifest was read already. */
export async function sourceOf(world: World, member: Member): Promise<SessionSource> {
  const { ref, manifest, record, config } = member;
  const count = await loadTokenCounter();
  const agent = record.metadata.agent as Agent;
  const state = await ingest(world, ref, { agent, extent: config.keepit.extent, count });
  if (state.l1.bytes === record.l1.bytes && state.l1.file === record.l1.file)
    return { ref, manifest, record, parts: manifest.parts[ref.session] ?? [], state, config, count };
  return openSource(world, ref);
}
