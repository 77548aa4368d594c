import type { ByteRange, Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, madeId } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import type { JsonObject } from '../parse-line.ts';
import { allOf, notice, spoken, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';
import { insideTags, withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

const AGENT = 'specstory';
const TIME = /(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?/;
/** What editors and clients put before or behind what was typed. */
const ADDED = (
  'system-reminder user_info attached_files open_and_recently_viewed_files manually_added_selection additional_data ' +
  'environment_details ide_opened_file ide_selection command-message command-name local-command-stdout local-command-caveat task-notification'
).split(' ');
const CLIENT_SENTENCE =
  /^(?:Caveat: The messages below were generated|This session is being continued from|\[Request interrupted|Base directory for this skill|Stop hook feedback)/;
const OPENED = /^_Opened file: `[^`]*`_\s*/;
const TOOL =
  /<tool-use[^>]*data-tool-name="([^"]*)"[^>]*>([\s\S]*?)<\/tool-use>|<details>\s*<summary>Tool use: \*\*([^*]+)\*\*([\s\S]*?)<\/details>/g;
const THOUGHT = /<think>[\s\S]*?<\/think>/g;

/**
 * Histories that SpecStory wrote, of whichever agent they are: by files of its first form and of Markdown v2.1.0 that people
 * published on GitHub (MichaelPaulukonis/polychrome.p5, langwatch/better-agents).
 */
export const specstoryReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    if (kind === 'session') return { entries: [], facts: { sessionId: stringOf(row.id) } };
    return kind === 'user' || kind === 'agent' ? readTurn(kind, row, src) : unknown(kind);
  },
};

function readTurn(kind: 'user' | 'agent', row: JsonObject, src: ByteRange): ReadObject {
  const about = stringOf(row.about);
  const text = stringOf(row.text)
    .replace(/\n---\s*$/, '')
    .trim();
  const place: AgentPlace = { id: madeId(src, text), ts: timeIn(about), src };
  if (/sidechain/.test(about))
    return allOf(text === '' ? [] : [{ ...notice(place, text), agentId: 'sidechain' }], 'no words');
  if (kind === 'user') return allOf(spoken(place, text, ownWords(text)), 'no words');
  return allOf(agentEntries(text, place, modelIn(about)), 'no words');
}

function ownWords(text: string): string | undefined {
  const asked = insideTags(text, ['user_query']);
  const own = (asked ?? withoutTags(text, ADDED)).replace(OPENED, '').trim();
  return CLIENT_SENTENCE.test(own) || machineShape(own) ? undefined : own;
}

/** Messages with the calls between them; results of calls are only described in words. */
function agentEntries(text: string, place: AgentPlace, model: string): Entry[] {
  const entries: Entry[] = [];
  const of = { messageId: place.id, ...(model ? { model } : {}) };
  const say = (words: string) => {
    const own = words
      .replace(THOUGHT, '')
      .replace(/^\s*---\s*$/gm, '')
      .trim();
    if (own !== '') entries.push({ ...place, ...of, kind: 'assistant', origin: 'assistant', text: own });
  };
  let from = 0;
  for (const [index, found] of [...text.matchAll(TOOL)].entries()) {
    say(text.slice(from, found.index));
    from = found.index + found[0].length;
    const call = {
      toolUseId: `${place.id}/${index}`,
      name: found[1] ?? found[3] ?? 'tool',
      input: inputIn(found[2] ?? found[4] ?? ''),
    };
    for (const made of callEntries(place, call)) entries.push({ ...made, settled: true } as Entry);
  }
  say(text.slice(from));
  return entries;
}

/** What the summary or the first lines of a call name: a command, a path. */
function inputIn(body: string): JsonObject {
  const summary =
    /<summary>[\s\S]*?•\s*([^<\n]+)/.exec(body)?.[1] ?? /^\s*•\s*([^<\n]+)/.exec(body)?.[1] ?? '';
  const quoted = /`([^`\n]+)`/.exec(body)?.[1] ?? '';
  const target =
    summary
      .replace(/^(?:Run command|Read file|Edit file|Write file|Search|Grep|Web search):\s*/, '')
      .replace(/^Grep for "(.*?)"(?: • .*)?$/, '$1')
      .trim() || quoted;
  return target === '' ? {} : { command: target, file_path: target, pattern: target };
}

function timeIn(about: string): string {
  const [, day, time = '', zone = 'Z'] = TIME.exec(about) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isFinite(at) ? new Date(at).toISOString() : '';
}

function modelIn(about: string): string {
  const inside = /\((?:model )?([\w.:/-]+)/.exec(about)?.[1] ?? '';
  return /^\d{4}-/.test(inside) ? '' : inside;
}
