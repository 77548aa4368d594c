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

/** Where things lie on this machine. Absolute paths. */
export type Places = {
  archive: string;
  /** The agent's own folder, `~/.claude` unless set otherwise. */
  claude: string;
  /** Where transcripts are looked for. */
  claudeProjects: string[];
  /** The folders of other agents; none of those that keep their sessions in projects. */
  agents?: Record<OtherAgent | AskedAgent, string[]>;
  /** The current folder of the user; empty in a server. */
  cwd: string;
  home: string;
  /** The built-in sample project, laid out like `claudeProjects`. */
  sample: string;
  log: string;
};

/** All that a use case can reach. Built once, in main.ts. */
export type World = {
  archive: Archive;
  transcripts: Transcripts;
  /** Sessions of other agents; a hook has none to find. */
  agents?: AgentSources;
  /** Files in which memory travels; a hook makes none. */
  bundles?: Bundles;
  /** Stores that the user named, and what is kept of them; a hook has no way to one. */
  remotes?: () => Promise<Remotes>;
  /** The same files, for the one command that edits them when asked to. */
  sessionFiles: SessionFiles;
  clock: Clock;
  random: Random;
  git: Git;
  /** Branches of the user's repository, for the command that writes one when asked to; a hook has no way to them. */
  branches?: GitBranches;
  projectFiles: ProjectFiles;
  settings: Settings;
  index: SearchIndex;
  /** An empty index of its own, for when the common one can't be used. Destroy it after use. */
  scratchIndex: () => SearchIndex;
  /** Not there: words alone say what answers. */
  secondRanker?: SecondRanker;
  machine: Machine;
  /** A hook of an agent, which someone waits for. */
  isHook?: true;
  /** Called before work that someone waits for and that ends before its loops are worth optimizing. */
  hurry?: () => void;
  /** Not there where no model may be called: in hooks. */
  models?: Models;
  ledger?: Ledger;
  places: Places;
  /** A sentence for the user that does not stop the work. */
  report?: (note: string) => void;
  /** A sentence for the log, for anyone who looks for a cause. */
  log?: (note: string) => void;
};
