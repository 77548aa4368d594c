import type { Config } from '../core/model/config-defaults.ts';

/** The source of a value; each overrides those before it. */
export type SettingSource = 'default' | 'global' | 'project' | 'flag';

export type ResolvedSettings = {
  config: Config;
  /** By dotted key. Missing keys have their default. */
  sources: Map<string, SettingSource>;
  /** Unknown keys, which are kept: sentences for a person. */
  warnings: string[];
};

export interface Settings {
  /** The global file, whether it exists or not. */
  readonly file: string;
  /** `project` is the manifest's `settings`, `flags` what the command line says, both nested or with dotted keys. */
  resolve(project?: Record<string, unknown>, flags?: Record<string, unknown>): Promise<ResolvedSettings>;
  /** The global file as the user wrote it, `{}` if there is none. */
  readGlobal(): Promise<Record<string, unknown>>;
  /** Atomic. Refuses to touch a file that can't be read. */
  writeGlobal(change: (settings: Record<string, unknown>) => Record<string, unknown>): Promise<void>;
  /** The text of the global file, broken or not; undefined if there is none. */
  readText(): Promise<string | undefined>;
  /** The settings in a text. Throws a fault that says what is wrong; `name` is the name of the text in it. */
  check(text: string, name: string): Promise<Record<string, unknown>>;
  /** Replaces the whole global file, after the text was validated. */
  writeText(text: string): Promise<void>;
}
