import type { InjectionKey, ShallowRef } from 'vue';
import type { BriefSession } from './sessions.ts';

/** What the memory browser shares with the pages inside it. */
export const browserKey: InjectionKey<{
  sessions: ShallowRef<BriefSession[]>;
  /** After something was changed: the list, the projects and what counts them. */
  reload(): Promise<void>;
  /** Goes up with every reload. */
  changes: ShallowRef<number>;
}> = Symbol('browser');
