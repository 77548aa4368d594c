import { newRefineState } from '../../core/layers/refine/refine.ts';
import { newTitleNotes } from '../../core/layers/titles/title-notes.ts';
import type { Agent } from '../../core/model/agent.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { newSessionFacts } from '../../core/transcript/session-facts.ts';
import type { SessionState } from './session-state.ts';

/** Nothing is read yet. In a file of its own: who only loads a state needs none of the stages. */
export function newSessionState(agent: Agent): SessionState {
  return {
    engine: REFINE_ENGINE,
    agent,
    offset: 0,
    l1: { file: '', lines: 0, bytes: 0 },
    facts: newSessionFacts(),
    refine: newRefineState(),
    replies: [],
    titles: newTitleNotes(),
    markers: [],
    files: [],
    filesCount: 0,
    exchanges: 0,
    lines: {
      total: 0,
      bad: 0,
      oversize: 0,
      duplicate: 0,
      unknown: Object.create(null),
      skipped: Object.create(null),
    },
    seen: 0,
    tokens: 0,
    blocks: [],
  };
}
