import type { Entry, TextEntry } from '../model/entry.ts';
import { isClientCommand, takesWords } from './client-commands.ts';
import { machineShape } from './text-shape.ts';

/** A button that sends a text of its own. */
const BUTTON = /^(?:@\w+ )?(?:Try Again|Continue: "Continue to iterate\?")$/;
const COMMAND = /^\/([a-z][\w:-]*)(?:\s+([\s\S]*))?$/i;

/** What another agent's file calls the user's, read as what it is: words, a command of the client, data of a program. */
export function personText(entry: Entry): Entry {
  if (entry.kind !== 'user') return entry;
  const text = entry.text.trim();
  if (BUTTON.test(text)) return asNotice(entry);
  const shape = machineShape(text);
  if (shape) return { ...asNotice(entry), shape };
  const [, name = '', words = ''] = COMMAND.exec(text) ?? [];
  if (!isClientCommand(name)) return entry;
  if (words === '' || !takesWords(name)) return { ...asNotice(entry), client: true };
  return { ...entry, text: words.trim(), command: `/${name}`, aside: true };
}

function asNotice(entry: TextEntry): TextEntry {
  return { ...entry, kind: 'notice', origin: 'machine' };
}
