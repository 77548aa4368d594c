import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { refineOriginal } from '../intake/refine-original.ts';
import { purgedThen } from '../session/purged-since.ts';
import { openSource, type SessionSource, stateAsRecorded } from '../session/session-source.ts';
import type { World } from '../world.ts';
import type { Member } from './members.ts';

/** As `openSource`, for many sessions of a project whose manifest was read already; a preview writes nothing. */
export async function sourceOf(world: World, member: Member, preview = false): Promise<SessionSource> {
  const { ref, manifest, record, config } = member;
  const [count, purged] = [await loadTokenCounter(), purgedThen([manifest])];
  const parts = manifest.parts[ref.session] ?? [];
  if (preview) {
    const state = await stateAsRecorded(world, ref, record, config);
    return { ref, manifest, record, parts, state, config, count, purged };
  }
  const agent = record.metadata.agent as Agent;
  const state = await refineOriginal(world, ref, { agent, extent: config.keepit.extent, count });
  if (state.l1.bytes === record.l1.bytes && state.l1.file === record.l1.file)
    return { ref, manifest, record, parts, state, config, count, purged };
  return openSource(world, ref);
}
