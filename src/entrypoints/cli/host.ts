import type { HubParts } from '../../app/hub/hub.ts';
import type { AgentInstaller } from '../../app/maintenance/agent-setup.ts';
import type { Installer } from '../../app/maintenance/install.ts';
import type { World } from '../../app/world.ts';
import type { ReplicaPlace } from '../hub/replicas.ts';

/** A folder, or an address such as postgres://user@host/name; without either what the environment says. */
export type HubDataPlace = { data?: string | undefined; database?: string | undefined };
/** Where a hub keeps its indexes; `owner` says whose data they are of. */
export type HubCachePlace = HubDataPlace & { cache?: string | undefined; owner: string };

/** What main.ts hands to the command line: the world stays closed until a command asks for it. */
export type Host = {
  version: string;
  environment: {
    home: string;
    cwd: string;
    editor: string | undefined;
    debug: boolean;
    color: boolean | undefined;
    columns: number | undefined;
    timeZone: () => string;
  };
  openWorld(report: (note: string) => void): Promise<World>;
  /** Keeps the details of an unexpected error; gives the file, or undefined when it could not be written. */
  log(text: string): Promise<string | undefined>;
  /** What it takes to put the plugin into the agent. */
  openInstaller(): Promise<Installer>;
  /** The same for agents that take entries in their settings. */
  openAgentInstaller(): Promise<AgentInstaller>;
  /** Starts an agent in this terminal; gives the status that it ended with. */
  startAgent(command: string, args: readonly string[], cwd: string): Promise<number>;
  /** What a hub stores in: a folder here, or a PostgreSQL server. */
  openHub(place: HubDataPlace): Promise<HubParts>;
  /** What it answers members from. */
  openReplicas(place: HubCachePlace): Promise<ReplicaPlace>;
  /** A world with an archive that is deleted afterwards; `token` is that of a hub. */
  withoutArchive<T>(token: string, work: (world: World) => Promise<T>): Promise<T>;
  /** What the environment says; undefined for nothing. */
  variable(name: string): string | undefined;
  /** The page's files. */
  site: string;
  /** The process stays, and serves more than one: from now on no read of a file delays another. */
  stay(): Promise<void>;
  /** Answers one event of the agent, from stdin, on stdout. */
  runHook(): Promise<void>;
  /** Works through what hooks left, as the process that they start. */
  workOff(): Promise<void>;
  /** Leaves a sync of the remotes to that process. */
  leaveRemotes(): Promise<void>;
  /** Starts that process where something is left. */
  takeUpWork(): Promise<void>;
};
