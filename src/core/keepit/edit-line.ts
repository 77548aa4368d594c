import { parseOutside } from '../model/parse-stored.ts';
import { isFields } from '../model/shape.ts';
import { decodeJsonString, type JsonString, jsonStrings } from '../text/json-strings.ts';
import { editMessage, type WantedMarker } from './edit-message.ts';

export type EditedLine = { line: string } | { same: true } | { wrong: string };

/**
 * A line of a session file in which some words of its message weigh something else. Only characters inside the
 * message's own JSON strings change; all other bytes stay, also the way they are escaped.
 */
export function editLine(line: string, uuid: string, wanted: WantedMarker): EditedLine {
  const object = parse(line);
  if (object?.uuid !== uuid) return { wrong: 'its line has no unique id' };
  const places = messageTexts(line, object);
  const texts = places.map(({ start, end }) => decodeJsonString(line.slice(start, end)));
  const edited = editMessage(
    texts.map((text) => text.value),
    wanted,
  );
  if (!('edit' in edited)) return edited;
  const { index, cuts } = edited.edit;
  const { start } = places[index]!;
  const { places: at } = texts[index]!;
  let out = '';
  let done = 0;
  for (const cut of cuts) {
    out += line.slice(done, start + at[cut.start]!) + JSON.stringify(cut.insert).slice(1, -1);
    done = start + at[cut.end]!;
  }
  return { line: out + line.slice(done) };
}

/** The strings that hold what was said: the message's content, or the text of each of its text blocks. */
function messageTexts(line: string, object: Record<string, unknown>): JsonString[] {
  const content = (object.message as { content?: unknown } | undefined)?.content;
  return jsonStrings(line).filter(({ path, start, end }) => {
    const [message, key, index, field] = path;
    if (message !== 'message' || key !== 'content') return false;
    const block = Array.isArray(content) ? content[Number(index)] : undefined;
    const value = path.length === 2 ? content : block?.type === 'text' ? block.text : undefined;
    const isText = path.length === 2 || (path.length === 4 && field === 'text');
    // Of a key that is twice only the last one counts, and that is the one whose value this is.
    return isText && decodeJsonString(line.slice(start, end)).value === value;
  });
}

function parse(line: string): Record<string, unknown> | undefined {
  const value = parseOutside(line);
  return isFields(value) ? value : undefined;
}
