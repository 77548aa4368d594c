import { sessionLines } from '../../src/adapters/agents/opencode-lines.ts';
import type { AskedAgent } from '../../src/core/model/agent.ts';
import type { Agent } from '../../src/core/transcript/read-line.ts';
import { at, type Happening } from './happening.ts';
import { aider, aiderHistory } from './writers/aider.ts';
import { amp, threadDocument } from './writers/amp.ts';
import { antigravity } from './writers/antigravity.ts';
import { claudeExport, consoleText } from './writers/claude-export.ts';
import { claudeMem } from './writers/claude-mem.ts';
import { cline, clineDocument, roo } from './writers/cline.ts';
import { copilot } from './writers/copilot.ts';
import { cursor } from './writers/cursor.ts';
import { cursorIde } from './writers/cursor-ide.ts';
import { droid } from './writers/droid.ts';
import { grok } from './writers/grok.ts';
import { hermes, hermesDocument } from './writers/hermes.ts';
import { kimi } from './writers/kimi.ts';
import { memoryFiles } from './writers/memory-files.ts';
import { pi } from './writers/pi.ts';
import { qwen } from './writers/qwen.ts';
import { historyDocument, specstory } from './writers/specstory.ts';
import { chatDocument, vscodeCopilot } from './writers/vscode-copilot.ts';

function codex(list: Happening[]): object[] {
  const lines: object[] = [
    { timestamp: at(0), type: 'session_meta', payload: { id: 'made', cwd: '/srv/shop' } },
  ];
  const item = (index: number, payload: object) =>
    lines.push({ timestamp: at(index), type: 'response_item', payload });
  const event = (index: number, type: string, message: string) =>
    lines.push({ timestamp: at(index), type: 'event_msg', payload: { type, message } });
  list.forEach((one, index) => {
    if (one.kind === 'run') {
      const call_id = `call_${index}`;
      const output = JSON.stringify({ output: one.output, metadata: { exit_code: one.fails ? 1 : 0 } });
      item(index, {
        type: 'function_call',
        name: 'shell',
        call_id,
        arguments: JSON.stringify({ command: ['bash', '-lc', one.command] }),
      });
      item(index, { type: 'function_call_output', call_id, output });
      return;
    }
    const [role, type] = one.kind === 'ask' ? ['user', 'user_message'] : ['assistant', 'agent_message'];
    // Both orders are found, and either of the two may be missing; but what was typed is an event in a session that has any.
    if (index % 3 === 0) event(index, type, one.text);
    if (index % 4 !== 3 || index % 3 !== 0)
      item(index, { type: 'message', role, content: [{ type: 'input_text', text: one.text }] });
    if (index % 3 === 1 || (index % 3 === 2 && one.kind === 'ask')) event(index, type, one.text);
  });
  return lines;
}

function gemini(list: Happening[]): object[] {
  const lines: object[] = [{ sessionId: 'made', projectHash: 'x', startTime: at(0), kind: 'main' }];
  list.forEach((one, index) => {
    const message = { id: `m${index}`, timestamp: at(index) };
    if (one.kind === 'run') lines.push(...geminiCall(one, index, message));
    else if (one.kind === 'ask') lines.push({ ...message, type: 'user', content: [{ text: one.text }] });
    else lines.push({ ...message, type: 'gemini', content: one.text });
    lines.push({ $set: { lastUpdated: at(index) } });
  });
  return lines;
}

/** Written when it starts, when it has ended, and once more with what it cost. */
function geminiCall(one: Happening & { kind: 'run' }, index: number, message: object): object[] {
  const call = {
    id: `c${index}`,
    name: 'run_shell_command',
    args: { command: one.command },
    timestamp: at(index),
  };
  const result = [{ functionResponse: { response: { output: one.output } } }];
  const of = { ...message, type: 'gemini', content: '' };
  const ended = { ...of, toolCalls: [{ ...call, status: one.fails ? 'error' : 'success', result }] };
  return [
    { ...of, toolCalls: [{ ...call, status: 'executing' }] },
    ended,
    { ...ended, tokens: { total: index } },
  ];
}

function opencode(list: Happening[]): object[] {
  return [...sessionLines({ id: 'made', directory: '/srv/shop' }, opencodeMessages(list), true)];
}

function opencodeMessages(list: Happening[]) {
  return list.map((one, index) => {
    const id = `prt_${index}`;
    const data =
      one.kind === 'run'
        ? {
            type: 'tool',
            tool: 'bash',
            callID: `c${index}`,
            state: {
              status: one.fails ? 'error' : 'completed',
              input: { command: one.command },
              output: one.output,
            },
          }
        : { type: 'text', text: one.text };
    const role = one.kind === 'ask' ? 'user' : 'assistant';
    const time = { created: Date.parse(at(index)), completed: Date.parse(at(index)) };
    return { id: `msg_${index}`, data: { role, time }, parts: [{ id, data }] };
  });
}

function claudeCode(list: Happening[]): object[] {
  const lines: object[] = [];
  const put = (index: number, type: string, content: unknown) =>
    lines.push({
      type,
      message: { role: type, content },
      uuid: `u${lines.length}`,
      timestamp: at(index),
      cwd: '/srv/shop',
      sessionId: 'made',
    });
  list.forEach((one, index) => {
    if (one.kind === 'run') {
      put(index, 'assistant', [
        { type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: one.command } },
      ]);
      const result = {
        type: 'tool_result',
        tool_use_id: `t${index}`,
        content: one.output,
        is_error: one.fails,
      };
      put(index, 'user', [result]);
    } else if (one.kind === 'ask') put(index, 'user', one.text);
    else put(index, 'assistant', [{ type: 'text', text: one.text }]);
  });
  return lines;
}

/** Other memories: they hold what was said, and nothing of what was run. */
export const MEMORY_WRITERS: Record<AskedAgent, (list: Happening[]) => object[]> = {
  'claude-mem': claudeMem,
  'memory-files': memoryFiles,
  'cursor-ide': cursorIde,
};

/** The same session as each agent writes it. */
export const WRITERS: Record<
  Exclude<Agent, 'generic' | 'talk' | AskedAgent>,
  (list: Happening[]) => object[]
> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
  cursor,
  copilot,
  'vscode-copilot': vscodeCopilot,
  qwen,
  pi,
  cline,
  specstory,
  droid,
  'claude-export': claudeExport,
  grok,
  hermes,
  antigravity,
  amp,
  aider,
  kimi,
  roo,
};

/** Sessions of the agents that write documents, as they write them. */
export function documents(list: Happening[]): Partial<Record<Agent, { text: string; path: string }>> {
  const json = (text: string) => ({ text, path: '/srv/made.json' });
  return {
    gemini: json(geminiChat(list)),
    opencode: json(opencodeExport(list)),
    'vscode-copilot': json(chatDocument(list)),
    cline: json(clineDocument(list)),
    hermes: json(hermesDocument(list)),
    amp: { text: threadDocument(list), path: '/T-made.json' },
    aider: { text: aiderHistory(list), path: '/srv/shop/.aider.chat.history.md' },
    specstory: { text: historyDocument(list), path: '/srv/made.md' },
    'claude-export': { text: consoleText(list), path: '/srv/made.txt' },
  };
}

/** What older versions of Gemini CLI write anew with every turn. */
function geminiChat(list: Happening[]): string {
  const [head, ...lines] = gemini(list);
  const messages = new Map(
    lines.filter((line) => 'id' in line).map((line) => [(line as { id: string }).id, line]),
  );
  return JSON.stringify({ ...head, messages: [...messages.values()] });
}

/** What `opencode export` writes. */
function opencodeExport(list: Happening[]): string {
  const messages = opencodeMessages(list).map(({ id, data, parts }) => ({
    info: { id, ...data },
    parts: parts.map((part) => ({ id: part.id, ...part.data })),
  }));
  return JSON.stringify({ info: { id: 'made', directory: '/srv/shop' }, messages });
}
