export type ClientRun = { status: number | null; output: string };

/** The agent's own command, by which its plugins are managed. */
export interface AgentClient {
  /** Undefined when there is no such command here. */
  version(): Promise<string | undefined>;
  run(args: string[]): Promise<ClientRun>;
}

/** A file of the plugin: its path below the plugin's folder, and what is in it. */
export type PluginFile = { path: string; bytes: Uint8Array };

/** The plugin that came with this program, and the copy that the agent installs from. */
export interface PluginStore {
  /** Where the copy lies. */
  readonly folder: string;
  /** The files that came with this program. */
  shipped(): Promise<PluginFile[]>;
  /** Puts a copy instead of whatever was there. */
  replace(files: PluginFile[]): Promise<void>;
  remove(): Promise<void>;
}
