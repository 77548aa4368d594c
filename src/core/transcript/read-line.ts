import type { Agent } from '../model/agent.ts';
import type { ReadObject } from '../model/read-object.ts';
import { mayHoldMarks } from '../text/composed-marks.ts';
import { kindToSkip, lineHead } from './claude-code/line-test.ts';
import { quickLine } from './claude-code/quick-line.ts';
import { stripComposed } from './composed-lines.ts';
import { withLostWords } from './lost-words.ts';
import { type JsonObject, parseLine } from './parse-line.ts';
import { personText } from './person-text.ts';
import { programMark } from './program-mark.ts';
import { AGENT_READERS } from './readers.ts';

export type { Agent };

export type LineReading = { objects: ReadObject[]; bad: boolean; skipped?: string };

/** One line of a session file. `last` means that no newline follows yet: then it counts only if it parses whole. */
export function readLine(agent: Agent, line: Buffer, at: number, last: boolean): LineReading {
  const src = [at + leadingSpace(line), at + line.length] as const;
  if (agent === 'claude-code' && !last) {
    const head = lineHead(line);
    const skipped = head && kindToSkip(line, head);
    if (skipped !== undefined) return { objects: [], bad: false, skipped };
    const quick = head && quickLine(line, head, src);
    if (quick) return { objects: [withOwnWords(quick)], bad: false };
  }
  const parsed = parseLine(line, last || agent !== 'claude-code');
  const { read } = AGENT_READERS[agent];
  const objects = parsed.objects.flatMap((object, index) => {
    const place = parsed.places?.[index];
    const found = read(object, place ? [at + place[0], at + place[1]] : src);
    const all = Array.isArray(found) ? found : [found];
    const isRead = agent === 'claude-code' || agent === 'talk';
    const others = (it: ReadObject) => withLostWords(withPersonText(it, object), object);
    return (isRead ? all : all.map(others)).map(withOwnWords);
  });
  return { objects, bad: parsed.bad };
}

function withPersonText(object: ReadObject, line: JsonObject): ReadObject {
  const { entries } = object;
  if (!entries.some(({ kind }) => kind === 'user')) return object;
  const mark = programMark(line);
  return { ...object, entries: entries.map((entry) => personText(entry, mark)) };
}

/** Memory does not remember itself: what was composed for a user is not the user's. */
function withOwnWords(object: ReadObject): ReadObject {
  const marked = object.entries.some((entry) => entry.kind === 'user' && mayHoldMarks(entry.text));
  return marked ? { ...object, entries: object.entries.map(stripComposed) } : object;
}

/** An object's place is where it begins, however it came to be behind spaces. */
function leadingSpace(line: Buffer): number {
  let at = 0;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at++;
  return at;
}

/** Which agent wrote a file, by what its first lines hold. */
export function detectAgent(line: Buffer): Agent | undefined {
  const [object] = parseLine(line, true).objects;
  if (!object) return undefined;
  return (Object.keys(AGENT_READERS) as Agent[]).find((agent) => AGENT_READERS[agent].is(object));
}
