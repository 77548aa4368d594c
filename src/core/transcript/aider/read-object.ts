import type { Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, madeId } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { withGaps } from '../known-fields.ts';
import { allOf, notice, only, skipped, spoken, unknown } from '../read-parts.ts';
import { isStaged, stagedRow, TEXT_SESSION } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';

const AGENT = 'aider';
/** Commands whose words are for the agent; all others steer the client. */
const FOR_AGENT = /^\/(?:ask|code|architect|context|help)\s+(\S[\s\S]*)$/;
const COMMAND = /^[/!]\S/;
const DONE = /^(Applied edit to|Running) (.+?)\s*$/gm;

/**
 * Chats of Aider, `.aider.chat.history.md` in a project, from the lines that are made of them: text behind `####` was typed,
 * text behind `>` is what the client says. Read by "Transcript format" in website/share/index.md of Aider-AI/aider on GitHub, and
 * by histories of 0.82 and 0.86 that people published there.
 */
export const aiderReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    if (kind === 'session') {
      const cwd = stringOf(row.cwd);
      const facts = { sessionId: stringOf(row.id), ...(cwd ? { cwd } : {}) };
      return withGaps({ entries: [], facts }, TEXT_SESSION, row);
    }
    const text = stringOf(row.text).trim();
    const place: AgentPlace = { id: madeId(src, text), ts: stringOf(row.ts), src };
    return row.again === true ? only({ ...notice(place, text), client: true }) : readBlock(kind, text, place);
  },
};

function readBlock(kind: string, text: string, place: AgentPlace): ReadObject {
  if (kind !== 'user' && kind !== 'agent' && kind !== 'client') return unknown(kind);
  if (text === '') return skipped('no words');
  if (kind === 'user') return typed(text, place);
  if (kind === 'agent')
    return only({ ...place, messageId: place.id, kind: 'assistant', origin: 'assistant', text });
  return allOf(done(text, place), 'output');
}

function typed(text: string, place: AgentPlace): ReadObject {
  const words = FOR_AGENT.exec(text)?.[1];
  if (words === undefined && COMMAND.test(text)) return only({ ...notice(place, text), client: true });
  return allOf(spoken(place, text, words ?? text), 'no words');
}

/** The client says which files it changed and which commands it ran, and nothing else of what the agent did. */
function done(text: string, place: AgentPlace): Entry[] {
  return [...text.matchAll(DONE)].flatMap(([, what, target = ''], index) => {
    const call =
      what === 'Running'
        ? { name: 'Bash', input: { command: target } }
        : { name: 'Edit', input: { file_path: target } };
    return callEntries(place, { toolUseId: `${place.id}/${index}`, ...call }).map(
      (it) => ({ ...it, settled: true }) as Entry,
    );
  });
}
