import type { L1Line } from '../../model/l1.ts';

export const TALK_FORMAT = 1;

/** What a session was, for who gets its talk alone. */
export type TalkHead = {
  agent: string;
  cwd?: string | undefined;
  version?: string | undefined;
  branch?: string | undefined;
  title?: string | undefined;
};

/** The refined lines of a session as a file of their own. `ids` has the id of the message at a place in the original. */
export function writeTalk(
  head: TalkHead,
  lines: readonly L1Line[],
  ids: ReadonlyMap<number, string>,
): Buffer {
  const parts = [Buffer.from(`${JSON.stringify({ keepsake: 'talk', v: TALK_FORMAT, ...head })}\n`)];
  let at = parts[0]!.length;
  /** Places in the original to places in this file: of several lines from one place, the first. */
  const places = new Map<number, number>();
  const uses = new Map<string, number>();
  for (const { src, sent, replaces, ...line } of lines) {
    if (!places.has(src)) places.set(src, at);
    const message = line.id ?? ids.get(src);
    const known = message === undefined ? 0 : (uses.get(message) ?? 0);
    if (message !== undefined) uses.set(message, known + 1);
    const text = JSON.stringify({
      ...line,
      ...(message === undefined ? {} : { id: known === 0 ? message : `${message}#${known}` }),
      ...(sent === undefined ? {} : { sent: places.get(sent) ?? at }),
      ...(replaces === undefined ? {} : { replaces: places.get(replaces) ?? at }),
    });
    const bytes = Buffer.from(`${text}\n`);
    parts.push(bytes);
    at += bytes.length;
  }
  return Buffer.concat(parts);
}
