import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder } from './agent-finder.ts';
import { staged } from './json-value.ts';
import { isQuiet, markOfTime, stageLines } from './stage-lines.ts';
import { foundFile, textOf } from './walk-files.ts';

const FILE = '.aider.chat.history.md';
const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)[ \t]*$/gm;
/** A line that is not the client's. */
const TALK = /^(?!>)[ \t]*\S/m;

/** One file contains all chats of a project: each is a session of its own, and only the last one may still grow. */
export const aiderFiles: AgentFinder = {
  find: async ({ folder, now, staging }) => {
    const cwd = resolve(folder);
    const file = await foundFile(`${cwd}/${FILE}`);
    if (!file) return [];
    const chats = chatsIn(await textOf(file.path));
    return chats.flatMap((chat, index): FoundTranscript[] => {
      // The client was started, and nobody asked for anything.
      if (chat.before === '' && !TALK.test(chat.text)) return [];
      const isLast = index === chats.length - 1;
      const isEnded = !isLast || isQuiet(file.mtimeMs, now);
      const id = sessionOf(cwd, chat.started);
      const stage = async () => stageLines(staging, chatRows({ ...chat, id, cwd, isEnded }));
      const changed = isLast ? markOfTime(file.mtimeMs, now) : 0.5;
      const mark = { size: Buffer.byteLength(chat.text), mtimeMs: changed, dev: file.dev, ino: 0 };
      return [{ path: `${file.path}#${id}`, ...mark, beside: [], known: { session: id, cwd }, stage }];
    });
  },
  document: {
    name: /\.md$/,
    rows: ({ text, path, isEnded }) => {
      const chats = chatsIn(text);
      const [first] = chats;
      if (!first) return undefined;
      const cwd = path.endsWith(`/${FILE}`) ? path.slice(0, -FILE.length - 1) : '';
      const id = sessionOf(path, first.started);
      return chats.flatMap((chat) => [...chatRows({ ...chat, id, cwd, isEnded })]);
    },
  },
};

type Chat = { started: string; text: string; before: string };

function chatsIn(text: string): Chat[] {
  // The client writes the time of its own clock; what is no time is a line that someone changed.
  const startOf = (mark: RegExpExecArray) => new Date(`${mark[1]}T${mark[2]}`);
  const marks = [...text.matchAll(STARTED)].filter((mark) => !Number.isNaN(startOf(mark).getTime()));
  return marks.map((mark, index) => ({
    started: startOf(mark).toISOString(),
    text: text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length),
    before: index === 0 ? text.slice(0, mark.index).trim() : '',
  }));
}

function sessionOf(place: string, started: string): string {
  return `aider_${createHash('sha256').update(`${place}\n${started}`).digest('hex').slice(0, 16)}`;
}

/** A row for the chat, and one for each run of lines of one speaker. */
function* chatRows({
  started,
  text,
  before,
  id,
  cwd,
  isEnded,
}: Chat & { id: string; cwd: string; isEnded: boolean }): Generator<object> {
  yield staged('aider', 'session', { id, cwd });
  // Of no chat whose start is known: it is counted as not understood.
  if (before !== '') yield staged('aider', 'before the first chat', { ts: started, text: before });
  const blocks: { kind: string; lines: string[] }[] = [];
  let [isInFence, isCut] = [false, false];
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const kind = isInFence ? 'agent' : kindOf(line);
    // Code of an answer may begin with the signs of others.
    if (kind === 'agent' && /^\s*(?:```|~~~)/.test(line)) isInFence = !isInFence;
    const own = kind === 'user' ? line.slice(5) : kind === 'client' ? line.slice(2) : line;
    const last = isCut ? undefined : blocks.at(-1);
    const isEmpty = line.trim() === '';
    // An empty line of a message has its sign, too.
    isCut = isEmpty && last?.kind === 'user';
    if (last && (last.kind === kind || isEmpty)) last.lines.push(own.trimEnd());
    else if (!isEmpty) blocks.push({ kind, lines: [own.trimEnd()] });
  }
  for (const [index, { kind, lines }] of blocks.entries()) {
    const own = lines.join('\n').trim();
    const isLast = index === blocks.length - 1;
    // An answer may grow, and what a command sends may follow it.
    if (!isEnded && isLast && (kind === 'agent' || /^\/\w+\s/.test(own))) return;
    // `/code add a switch` is written, and then once more what it sends: `add a switch`.
    const next = blocks[index + 1];
    const isSent =
      kind === 'user' && next?.kind === 'user' && own.endsWith(` ${next.lines.join('\n').trim()}`);
    const again = isSent && /^\/\w+\s/.test(own) ? { again: true } : {};
    yield staged('aider', kind, { ts: started, text: own, ...again });
  }
}

function kindOf(line: string): 'user' | 'client' | 'agent' {
  if (/^####(?: |$)/.test(line)) return 'user';
  return line.startsWith('> ') || line === '>' ? 'client' : 'agent';
}
