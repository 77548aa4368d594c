import { isMessage } from '../model/l1.ts';
import type { Turn } from './turn.ts';
import type { VersionLine } from './write/version-line.ts';

/** How many messages of these turns the lines are made from. */
export function messagesIn(turns: Turn[], lines: VersionLine[]): number {
  const included = new Set(
    lines.filter(({ form }) => form !== 'title' && form !== 'gap').flatMap(({ l1 }) => l1),
  );
  const here = turns.filter((turn) => included.has(turn.at));
  const counted = here.flatMap(({ message }) => (message === undefined ? [] : [message]));
  return counted.length > 0 ? new Set(counted).size : here.filter(isMessage).length;
}
