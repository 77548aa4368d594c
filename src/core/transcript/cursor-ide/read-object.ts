import type { Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps, withOddWord } from '../known-fields.ts';
import { withLostCalls } from '../lost-words.ts';
import { contentId, inputOf } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, spoken, titled, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';
import { machineShape } from '../text-shape.ts';

const AGENT = 'cursor-ide';
const CALL = knownFields('call', 'name:s rawArgs:os|params:os');
const DONE = knownFields('call that ended', 'result');
const SESSION = knownMarks('session', { folder: 'cwd', title: 'name' }, 'composerId createdAt');
const TOOL = knownMarks('call', { outcome: 'status:s', rest: 'result:s' }, 'userDecision');
const STATUSES = new Set('completed error cancelled rejected loading running pending generating'.split(' '));
const FAILED = new Set(['error', 'cancelled', 'rejected']);

/**
 * Chats of Cursor's editor, from the lines that are made of its database: a row for the chat, one for each bubble. Untried with a
 * real file: read by docs/cursor/storage-reference.md of michaeldhood/chatrxiv and docs/CURSOR.md of AgentOrchestrator/AgentBase
 * on GitHub.
 */
export const cursorIdeReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    const ts = timeOf(row.createdAt);
    const id = contentId(row.bubbleId ?? row.composerId, { src, ts }, row.text);
    const place: AgentPlace = { id, ts, src };
    if (kind === 'session') {
      const cwd = stringOf(row.cwd);
      const facts = { sessionId: stringOf(row.composerId), ...(cwd ? { cwd } : {}) };
      return withGaps({ entries: titled(place, stringOf(row.name)), facts }, SESSION, row);
    }
    return kind === 'bubble' ? readBubble(row, place) : unknown(kind);
  },
};

function readBubble(row: JsonObject, place: AgentPlace): ReadObject {
  const text = stringOf(row.text);
  if (row.type === 1) return allOf(spoken(place, text, machineShape(text) ? undefined : text), 'no words');
  if (row.type !== 2) return unknown(`bubble ${String(row.type)}`);
  const said: Entry[] =
    text.trim() === ''
      ? []
      : [{ ...place, messageId: place.id, kind: 'assistant', origin: 'assistant', text }];
  const tool = isObject(row.toolFormerData) ? row.toolFormerData : undefined;
  const read = withLostCalls(allOf([...said, ...(tool ? called(tool, place) : [])], 'no words'), row);
  const isDone = tool?.status === 'completed';
  const found = withGaps(withGaps(isDone ? withGaps(read, DONE, tool) : read, CALL, tool), TOOL, tool);
  return withOddWord(found, 'call', tool?.status, STATUSES);
}

function called(tool: JsonObject, place: AgentPlace): Entry[] {
  const toolUseId = stringOf(tool.toolCallId) || place.id;
  const input = inputOf({ input: tool.rawArgs ?? tool.params });
  const calls = callEntries(place, { toolUseId, name: stringOf(tool.name) || 'tool', input });
  const text = stringOf(tool.result);
  const exit = /"exitCode(?:V2)?":\s*(-?\d+)/.exec(text)?.[1] ?? '0';
  const isError = FAILED.has(stringOf(tool.status)) || exit !== '0';
  return [
    ...calls,
    { ...place, id: `${place.id}/result`, kind: 'tool-result', origin: 'tool', toolUseId, text, isError },
  ];
}
