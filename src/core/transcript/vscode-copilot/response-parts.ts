import type { Entry } from '../../model/entry.ts';
import { type AgentPlace, callEntries } from '../agent-place.ts';
import { textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

/** The parts of an answer as they were shown: pieces of text, references, calls, edits. */
export function responseEntries(response: unknown, place: AgentPlace, model: string): Entry[] {
  const of = { messageId: place.id, ...(model ? { model } : {}) };
  const entries: Entry[] = [];
  let text = '';
  const flush = () => {
    if (text.trim() !== '')
      entries.push({ ...place, ...of, kind: 'assistant', origin: 'assistant', text: text.trim() });
    text = '';
  };
  const parts = Array.isArray(response) ? response.filter(isObject) : [];
  for (const [index, part] of parts.entries()) {
    const kind = stringOf(part.kind);
    if (kind === '' || kind === 'markdownContent') text += textIn(part.value) || textIn(part.content);
    else if (kind === 'inlineReference') text += nameOf(part);
    else if (kind === 'thinking') {
      const thought = textIn(part.value);
      if (thought.trim() !== '')
        entries.push({ ...place, ...of, kind: 'thinking', origin: 'assistant', text: thought });
    } else if (kind === 'toolInvocationSerialized' || kind === 'textEditGroup') {
      flush();
      const toolUseId = stringOf(part.toolCallId) || `${place.id}/${index}`;
      for (const call of callEntries(place, { toolUseId, ...callOf(part), ...(model ? { model } : {}) }))
        entries.push({ ...call, settled: true } as Entry);
    }
  }
  flush();
  return entries;
}

/** The call, as far as it is described for a reader. */
function callOf(part: JsonObject): { name: string; input: JsonObject } {
  if (part.kind === 'textEditGroup')
    return {
      name: 'edit_file',
      input: { file_path: isObject(part.uri) ? stringOf(part.uri.path) || stringOf(part.uri.fsPath) : '' },
    };
  const data = isObject(part.toolSpecificData) ? part.toolSpecificData : {};
  const line = isObject(data.commandLine) ? stringOf(data.commandLine.original) : stringOf(data.command);
  if (line !== '') return { name: 'run_in_terminal', input: { command: line } };
  const name = stringOf(part.toolId).replace(/^copilot_/, '') || 'tool';
  return { name, input: { input: textIn(part.pastTenseMessage) || textIn(part.invocationMessage) } };
}

function nameOf({ inlineReference, name }: JsonObject): string {
  const place = isObject(inlineReference) ? inlineReference : {};
  const path =
    stringOf(place.path) || stringOf(place.fsPath) || (isObject(place.uri) ? stringOf(place.uri.path) : '');
  const shown = stringOf(name) || stringOf(place.name) || path.split('/').at(-1) || '';
  return shown === '' ? '' : `\`${shown}\``;
}
