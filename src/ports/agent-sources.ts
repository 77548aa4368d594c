import type { FoundTranscript } from './transcripts.ts';

export type OtherAgent = 'codex' | 'gemini' | 'opencode';

/** The session files of agents other than Claude Code, only ever read. */
export interface AgentSources {
  /**
   * Every session below the agent's own folder; none where there is no such folder. What can't be read is named in
   * `unreadable`. `now`: a session that changed a short while ago may still be under way.
   */
  find(agent: OtherAgent, folder: string, unreadable: string[], now: number): Promise<FoundTranscript[]>;
}
