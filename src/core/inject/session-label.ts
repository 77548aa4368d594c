import { isUuid } from '../model/ids.ts';

/** Of a name that is no id: enough for its date and time, which begin the name of an imported chat. */
const LONGEST = 24;

/** How a session is named where it is quoted: by a beginning that finds it. */
export function sessionLabel(sessionId: string): string {
  return sessionId.slice(0, isUuid(sessionId) ? 8 : LONGEST);
}
