export type ClientRun = { status: number | null; output: string };

/** The agent's own command, which manages its plugins. */
export interface AgentClient {
  /** Undefined when there is no such command here. */
  version(): Promise<string | undefined>;
  run(args: string[]): Promise<ClientRun>;
}

/** A file of the plugin: its path below the plugin's folder, and its contents. */
export type PluginFile = { path: string; bytes: Uint8Array };

/** The plugin that came with this program, and the copy that the agent installs from. */
export interface PluginStore {
  /** The folder of the copy. */
  readonly folder: string;
  /** The files that came with this program. */
  shipped(): Promise<PluginFile[]>;
  /** Replaces the copy. */
  replace(files: PluginFile[]): Promise<void>;
  remove(): Promise<void>;
}
