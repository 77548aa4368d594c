import type { AskedAgent, OtherAgent } from '../core/model/agent.ts';
import type { AgentSources } from '../ports/agent-sources.ts';
import type { Archive } from '../ports/archive.ts';
import type { Bundles } from '../ports/bundles.ts';
import type { Clock } from '../ports/clock.ts';
import type { Git } from '../ports/git.ts';
import type { GitBranches } from '../ports/git-branches.ts';
import type { Machine } from '../ports/machine.ts';
import type { Ledger, Models } from '../ports/model.ts';
import type { ProjectFiles } from '../ports/project-files.ts';
import type { Random } from '../ports/random.ts';
import type { Remotes } from '../ports/remotes.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import type { SecondRanker } from '../ports/second-ranker.ts';
import type { SessionFiles } from '../ports/session-files.ts';
import type { Settings } from '../ports/settings.ts';
import type { Transcripts } from '../ports/transcripts.ts';

/** Paths on this machine, all absolute. */
export type Places = {
  archive: string;
  /** The agent's own folder, `~/.claude` unless set otherwise. */
  claude: string;
  /** Where transcripts are looked for. */
  claudeProjects: string[];
  /** The folders of other agents, without agents that keep their sessions in projects. */
  agents?: Record<OtherAgent | AskedAgent, string[]>;
  /** The current folder of the user; empty in a server. */
  cwd: string;
  home: string;
  /** The built-in sample project, laid out like `claudeProjects`. */
  sample: string;
  log: string;
};

/** Everything that a use case can reach. Built once, in main.ts. */
export type World = {
  archive: Archive;
  transcripts: Transcripts;
  /** Sessions of other agents; missing in hooks. */
  agents?: AgentSources;
  /** Bundle files; missing in hooks. */
  bundles?: Bundles;
  /** The user's remotes and their local records; missing in hooks. */
  remotes?: () => Promise<Remotes>;
  /** The same files, for the one command that edits them on request. */
  sessionFiles: SessionFiles;
  clock: Clock;
  random: Random;
  git: Git;
  /** Branches of the user's repository, for the command that writes one on request; missing in hooks. */
  branches?: GitBranches;
  projectFiles: ProjectFiles;
  settings: Settings;
  index: SearchIndex;
  /** A separate empty index, for when the common one cannot be used. Destroy it after use. */
  scratchIndex: () => SearchIndex;
  /** Missing by default: then words alone decide what answers. */
  secondRanker?: SecondRanker;
  machine: Machine;
  /** True in a hook, while the agent waits. */
  isHook?: true;
  /** Called before short work that a user waits for, which ends before optimizing its loops pays off. */
  hurry?: () => void;
  /** Missing where no model may be called: in hooks. */
  models?: Models;
  ledger?: Ledger;
  places: Places;
  /** Set once the user asks to stop, where a command listens to that: no wait for others continues after it. */
  stopped?: () => AbortSignal | undefined;
  /** A sentence for the user that does not stop the work. */
  report?: (note: string) => void;
  /** A sentence for the log, to find a cause. */
  log?: (note: string) => void;
};
