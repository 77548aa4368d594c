import { isSessionId, type SessionId, shortHash } from './ids.ts';

const SUFFIX = /@[0-9a-f]{8}$/;

/** The session of a stream: one that continued differently on two machines is stored under its id, and again as `ID@DEVICE`. */
export function streamBase(session: string): string {
  return session.replace(SUFFIX, '');
}

export function isSecondStream(session: string): boolean {
  return SUFFIX.test(session);
}

/** What a further stream of a session is called here: by the device that it came from, unless that name is taken. */
export function secondStreamId(
  session: SessionId,
  device: string,
  isTaken: (id: string) => boolean,
): SessionId {
  for (let count = 0; ; count++) {
    const mark = count === 0 ? device.slice(0, 8) : shortHash(`${device} ${count}`, 8);
    const id = `${streamBase(session).slice(0, 100)}@${mark}`;
    if (!isSessionId(id)) return session;
    if (!isTaken(id)) return id;
  }
}
