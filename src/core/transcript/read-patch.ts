import type { JsonObject } from './parse-line.ts';

export type KnownCall = { name: string; input: JsonObject };

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVED = /^\*\*\* Move to: (.+)$/;

/** The files that a patch changes, each as a call of its own: what was there, what is there now. */
export function readPatch(patch: string): KnownCall[] {
  const calls: KnownCall[] = [];
  let [before, after]: [string[], string[]] = [[], []];
  let current: KnownCall | undefined;
  const end = () => {
    if (!current) return;
    const { input, name } = current;
    if (name === 'Write') input.content = after.join('\n');
    else Object.assign(input, { old_string: before.join('\n'), new_string: after.join('\n') });
    calls.push(current);
  };
  for (const line of patch.split('\n')) {
    const [, action, path = ''] = FILE.exec(line) ?? [];
    if (action) {
      end();
      current = { name: action === 'Add' ? 'Write' : 'Edit', input: { file_path: path.trim() } };
      [before, after] = [[], []];
    } else if (current && MOVED.test(line)) current.input.file_path = line.replace(MOVED, '$1').trim();
    else if (line.startsWith('-')) before.push(line.slice(1));
    else if (line.startsWith('+')) after.push(line.slice(1));
  }
  end();
  return calls;
}
