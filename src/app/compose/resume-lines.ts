import { layout } from '../../core/compress/write/layout.ts';
import type { VersionLine } from '../../core/compress/write/version-line.ts';
import { beginMark, endMark } from '../../core/text/composed-marks.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';

/** A session of a composition: its heading and what was said. */
export type ComposedSession = { heading: string; lines: VersionLine[] };

export type ResumeMessage = { role: 'user' | 'assistant'; text: string };

/** Tokens that a message takes beside its words. */
const AROUND = 4;
const CLOSING = 'That was the earlier context. I continue from here.';

/** The composed conversation as alternating messages; tool calls are rendered as text. */
export function resumeMessages(preface: string, sessions: readonly ComposedSession[]): ResumeMessage[] {
  const messages: ResumeMessage[] = [{ role: 'user', text: preface }];
  const add = (role: ResumeMessage['role'], text: string) => {
    const last = messages.at(-1);
    if (text.trim() === '') return;
    if (last?.role === role) last.text = last.text === '' ? text : `${last.text}\n\n${text}`;
    else messages.push({ role, text });
  };
  for (const { heading, lines } of sessions) {
    if (lines.length === 0) continue;
    add('user', `# ${heading}`);
    let pending: VersionLine[] = [];
    const answer = () => {
      add('assistant', layout(pending).markdown.trimEnd());
      pending = [];
    };
    for (const line of lines) {
      if (line.role !== 'user') {
        if (line.form !== 'ask') pending.push(line);
        continue;
      }
      answer();
      add(
        'user',
        line.form === 'ask' || line.form === 'said' ? named(line) : layout([line]).markdown.trimEnd(),
      );
    }
    answer();
  }
  if (messages.at(-1)!.role === 'user') add('assistant', CLOSING);
  return messages;
}

function named({ name, text }: VersionLine): string {
  return name === undefined ? text : `${name}: ${text}`;
}

/** What the resumed conversation takes, marks included. */
export function resumeTokens(
  preface: string,
  sessions: readonly ComposedSession[],
  count: TokenCounter,
): number {
  const messages = marked(resumeMessages(preface, sessions), '0123456789abcdef');
  return messages.reduce((sum, { text }) => sum + count(text) + AROUND, 0);
}

/** The first message says how many lines are composed: ingest skips exactly those. */
function marked(messages: ResumeMessage[], mark: string): ResumeMessage[] {
  return messages.map(({ role, text }, index) => {
    const begin = index === 0 ? `${beginMark(mark, messages.length)}\n` : '';
    const end = index === messages.length - 1 ? `\n${endMark(mark)}` : '';
    return { role, text: `${begin}${text}${end}` };
  });
}

export type ResumeFacts = {
  mark: string;
  sessionId: string;
  /** A fresh uuid; the lines' ids differ from it in their last group, which counts. */
  uuid: string;
  cwd: string;
  version: string;
  gitBranch: string;
  ts: string;
  title: string;
};

/** The lines of a session file as Claude Code writes them: a chain of messages, and a title for its list. */
export function resumeFile(messages: ResumeMessage[], facts: ResumeFacts): string {
  const { sessionId, cwd, version, gitBranch, ts } = facts;
  const idOf = (place: number) => `${facts.uuid.slice(0, 24)}${place.toString(16).padStart(12, '0')}`;
  const lines = marked(messages, facts.mark).map(({ role, text }, index) => ({
    parentUuid: index === 0 ? null : idOf(index - 1),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version,
    gitBranch,
    type: role,
    message: role === 'user' ? { role, content: text } : assistant(text, idOf(index)),
    uuid: idOf(index),
    timestamp: ts,
  }));
  const title = { type: 'summary', summary: facts.title, leafUuid: idOf(messages.length - 1) };
  return [title, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function assistant(text: string, id: string) {
  return {
    id: `msg_${id.replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}
