import { parseOutside } from '../model/parse-stored.ts';
import { isObject } from './parse-line.ts';

/**
 * The id of the entries in a line that Claude Code wrote for a message; undefined where `readLine` has to tell, since the
 * line is of another kind, damaged, or not alone. For lines that are known to have entries.
 */
export function messageIdOf(line: Buffer): string | undefined {
  const object = parseOutside(line.toString('utf8'));
  if (!isObject(object) || (object.type !== 'user' && object.type !== 'assistant')) return undefined;
  return typeof object.uuid === 'string' ? object.uuid : undefined;
}
