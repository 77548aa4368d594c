import { chooseTitle } from '../../core/layers/titles/choose-title.ts';
import { Fault } from '../../core/model/fault.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { findAgentFiles } from '../intake/agent-files.ts';
import { type Fold, foldLine } from '../intake/fold-session.ts';
import { identifyFile } from '../intake/identify-file.ts';
import { newSessionState } from '../intake/new-session-state.ts';
import type { World } from '../world.ts';

export type PeekedTranscript = {
  path: string;
  sessionId: string;
  cwd: string | null;
  title: string;
  first: string;
  last: string;
  messages: number;
  tokens: number;
  markers: Pick<KeepitMarker, 'markerId' | 'weight' | 'content'>[];
};

/** What a transcript of the agent holds, before it is added to memory. Nothing is stored. */
export async function peekTranscript(world: World, path: string): Promise<PeekedTranscript> {
  // Only waiting transcripts of the agent: no other file of the machine is read for a caller.
  const { pending } = await findAgentFiles(world);
  const identity = pending.some((file) => file.path === path) ? await identifyFile(world, path) : undefined;
  if (!identity)
    throw new Fault('not-found', 'No waiting transcript at this path.', {
      hint: 'The list of waiting transcripts is outdated: load it again.',
    });
  const state = newSessionState(identity.agent);
  const fold: Fold = {
    state,
    seen: new SeenIds(),
    sessionId: identity.session,
    extent: 'paragraph',
    count: await loadTokenCounter(),
  };
  await world.transcripts.readLines(path, 0, (line, at, last) => foldLine(fold, line, at, last) !== false);
  const { facts, markers } = state;
  return {
    path,
    sessionId: identity.session,
    cwd: identity.cwd ?? null,
    title: chooseTitle(state.titles, state.facts) ?? identity.session,
    first: facts.first,
    last: facts.last,
    messages: facts.counts.human + facts.counts.assistant,
    tokens: state.tokens ?? 0,
    markers: markers.map(({ markerId, weight, content }) => ({ markerId, weight, content })),
  };
}
