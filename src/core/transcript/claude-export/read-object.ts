import type { ByteRange, Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, madeId } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { readUserText } from '../claude-code/user-text.ts';
import { withGaps } from '../known-fields.ts';
import { allOf, notice, only, skipped, spoken, unknown } from '../read-parts.ts';
import { isStaged, stagedRow, TEXT_SESSION } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';

const AGENT = 'claude-export';
/** `Bash(npm test)`, `Read(src/a.ts)`, `github - search_issues (MCP)(query: "x")` */
const CALL = /^([A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*)?|[\w.-]+ - \w+ \(MCP\)|mcp__\w+)(?:\(([\s\S]*)\))?\s*$/;
/** What the console calls a tool, and what the tool is called. */
const CONSOLE_NAMES: Record<string, string> = {
  Update: 'Edit',
  Search: 'Grep',
  'Web Search': 'WebSearch',
  Fetch: 'WebFetch',
};
const CALLS =
  /^(?:Bash|Read|Write|Edit|Update|MultiEdit|Search|Grep|Glob|List|LS|Task|Explore|Plan|Fetch|WebFetch|Web Search|WebSearch|TodoWrite|Update Todos|NotebookEdit|Skill|BashOutput|KillShell|AskUserQuestion|ExitPlanMode|Agent)\b/;

/** Consoles that `/export` of Claude Code wrote: text only, wrapped at the width that the terminal had. */
export const claudeExportReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    if (kind === 'session') {
      const cwd = stringOf(row.cwd);
      const facts = { sessionId: stringOf(row.id), ...(/^(?:\/|[A-Za-z]:)/.test(cwd) ? { cwd } : {}) };
      return withGaps({ entries: [], facts }, TEXT_SESSION, row);
    }
    return kind === 'block' ? readBlock(stringOf(row.text), src) : unknown(kind);
  },
};

function readBlock(text: string, src: ByteRange): ReadObject {
  const place: AgentPlace = { id: madeId(src, text), ts: '', src };
  const words = unwrapped(text);
  switch (text.trimStart()[0]) {
    case '>':
    case '❯':
      return typed(words, place);
    case '⏺':
    case '●':
      return allOf(saidOrCalled(words, place), 'no words');
    case '⎿':
      if (/^Interrupted\b|^\[Request interrupted/.test(words)) return only(interruption(place));
      return skipped('output');
    default:
      return words === '' ? skipped('no words') : only(notice(place, words));
  }
}

/** Words behind the sign of the prompt; `!` runs a command, `/` steers the client. */
function typed(words: string, place: AgentPlace): ReadObject {
  if (/^!/.test(words)) return only({ ...notice(place, words), client: true });
  const read = readUserText(words);
  if (read.speaker === 'compaction')
    return only({ ...place, kind: 'compaction', origin: 'machine', text: words });
  if (read.speaker !== 'user') return only(notice(place, words));
  const entries = spoken(place, words, read.text);
  const more = {
    ...(read.command ? { command: read.command } : {}),
    ...(read.aside ? { aside: true as const } : {}),
  };
  return allOf(
    entries.map((entry) => ({ ...entry, ...more }) as Entry),
    'no words',
  );
}

function saidOrCalled(words: string, place: AgentPlace): Entry[] {
  const [, name = '', target = ''] = CALL.exec(words) ?? [];
  if (name !== '' && (CALLS.test(name) || name.includes('(MCP)') || name.startsWith('mcp__'))) {
    const known = CONSOLE_NAMES[name] ?? name;
    const input = { command: target, file_path: target, pattern: target };
    return callEntries(place, { toolUseId: place.id, name: known, input }).map(
      (it) => ({ ...it, settled: true }) as Entry,
    );
  }
  return words === ''
    ? []
    : [{ ...place, messageId: place.id, kind: 'assistant', origin: 'assistant', text: words }];
}

const LINE_MARK = /^\s*(?:[-*•] |\d+[.)] |#|\||```|>|\+|[│├└┌])/;

/** Without the sign in front and the indent of the lines below; lines that the console broke are one again. */
function unwrapped(text: string): string {
  const lines = text
    .split('\n')
    .map((line, index) =>
      index === 0 ? line.trimStart().slice(1).trim() : line.replace(/^ {2}/, '').trimEnd(),
    );
  const width = Math.max(...text.split('\n').map((line) => line.length));
  return lines
    .reduce((all, line, index) => {
      if (index === 0) return line;
      const before = lines[index - 1] ?? '';
      const first = /^\S*/.exec(line)?.[0].length ?? 0;
      // Broken by the console: the next word had no room.
      const isBroken =
        before !== '' &&
        line !== '' &&
        !/^\s/.test(line) &&
        !LINE_MARK.test(line) &&
        before.length + 3 + first >= width;
      return isBroken ? `${all} ${line}` : `${all}\n${line}`;
    }, '')
    .trim();
}
