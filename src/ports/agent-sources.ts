import type { AskedAgent, OtherAgent } from '../core/model/agent.ts';
import type { FoundTranscript } from './transcripts.ts';

/** The sessions of agents other than Claude Code, only ever read. `now`: files that changed a short while ago may be incomplete. */
export interface AgentSources {
  /** Every session below one of the agent's folders; none where there is no such folder. What can't be read is named in `unreadable`. */
  find(
    agent: OtherAgent | AskedAgent,
    folder: string,
    unreadable: string[],
    now: number,
  ): Promise<FoundTranscript[]>;
  /** A file that is a complete session (an export, a history), recognized by its contents; undefined if it is not one. */
  document(path: string, now: number): Promise<FoundTranscript | undefined>;
  /** All such files below a folder. */
  documents(folder: string, unreadable: string[], now: number): Promise<FoundTranscript[]>;
}
