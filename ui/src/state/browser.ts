import type { InjectionKey, ShallowRef } from 'vue';
import type { BriefSession } from './sessions.ts';

/** What the memory browser shares with the pages inside it. */
export const browserKey: InjectionKey<{ sessions: ShallowRef<BriefSession[]>; reload(): Promise<void> }> =
  Symbol('browser');
