import { type InjectionKey, inject, type ShallowRef } from 'vue';
import type { Session } from '../api/records.ts';

export type SessionPage = {
  session: ShallowRef<Session | undefined>;
  /** After something about it was changed. */
  reload(): Promise<void>;
};

export const sessionPageKey: InjectionKey<SessionPage> = Symbol('session-page');

/** The session whose page this is. */
export function useSessionPage(): SessionPage {
  const page = inject(sessionPageKey);
  if (!page) throw new Error('Only inside the page of a session.');
  return page;
}
