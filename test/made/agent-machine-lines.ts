import type { Agent } from '../../src/core/model/agent.ts';
import { userLine } from './machine-lines.ts';

/** What a client of an agent writes by itself where its user's words stand: the lines around it, too. */
export type AgentMachineLine = { agent: Agent; name: string; lines: (text: string) => object[] };

const at = (second: number) => `2026-04-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const tag = (name: string, text: string) => `<${name}>\n${text}\n</${name}>`;

const item = (role: string, text: string) => ({
  timestamp: at(1),
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
});
const event = (payload: object) => ({ timestamp: at(1), type: 'event_msg', payload });
const codexStart = {
  timestamp: at(0),
  type: 'session_meta',
  payload: { id: 'made', cwd: '/srv/shop', cli_version: '0.140.0' },
};
const codexEnd = { ...item('assistant', 'Working on it.'), timestamp: at(3) };
const codex = (name: string, made: (text: string) => object): AgentMachineLine => ({
  agent: 'codex',
  name,
  lines: (text) => [codexStart, made(text), codexEnd],
});

const gemini = (name: string, made: (text: string) => object): AgentMachineLine => ({
  agent: 'gemini',
  name,
  lines: (text) => [
    { sessionId: 'made', projectHash: 'abc' },
    { id: 'm1', type: 'user', timestamp: at(1), ...made(text) },
  ],
});
const qwen = (name: string, more: object, wrap = (text: string) => text): AgentMachineLine => ({
  agent: 'qwen',
  name,
  lines: (text) => [
    {
      uuid: 'u1',
      sessionId: 'made',
      type: 'user',
      timestamp: at(1),
      message: { role: 'user', parts: [{ text: wrap(text) }] },
      ...more,
    },
  ],
});
const opencode = (name: string, part: (text: string) => object): AgentMachineLine => ({
  agent: 'opencode',
  name,
  lines: (text) => [{ opencode: 'part', role: 'user', row: { id: 'p1', type: 'text', ...part(text) } }],
});
const copilot = (name: string, type: string, data: (text: string) => object): AgentMachineLine => ({
  agent: 'copilot',
  name,
  lines: (text) => [{ type, data: data(text), id: 'e1', timestamp: at(1), parentId: null }],
});
const cursor = (name: string, wrap: (text: string) => string): AgentMachineLine => ({
  agent: 'cursor',
  name,
  lines: (text) => [{ role: 'user', message: { content: [{ type: 'text', text: wrap(text) }] } }],
});
const droid = (name: string, wrap: (text: string) => string, more: object = {}): AgentMachineLine => ({
  agent: 'droid',
  name,
  lines: (text) => [
    {
      type: 'message',
      id: 'm1',
      timestamp: at(1),
      message: { role: 'user', content: [{ type: 'text', text: wrap(text) }], ...more },
    },
  ],
});
const pi = (name: string, line: (text: string) => object): AgentMachineLine => ({
  agent: 'pi',
  name,
  lines: (text) => [{ id: 'e1', timestamp: at(1), ...line(text) }],
});
const piUser = (text: string) => ({
  type: 'message',
  message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1 },
});
const openclaw = (content: string, more: object = {}) => ({
  type: 'message',
  message: { role: 'user', content, timestamp: 1, ...more },
});
const cline = (name: string, wrap: (text: string) => string): AgentMachineLine => ({
  agent: 'cline',
  name,
  lines: (text) => [
    {
      staged: 'cline',
      kind: 'message',
      row: { role: 'user', content: [{ type: 'text', text: wrap(text) }] },
    },
  ],
});
const vscode = (name: string, request: (text: string) => object): AgentMachineLine => ({
  agent: 'vscode-copilot',
  name,
  lines: (text) => [
    { staged: 'vscode-copilot', kind: 'request', row: { requestId: 'r1', ...request(text) } },
  ],
});
const kimi = (name: string, origin: object): AgentMachineLine => ({
  agent: 'kimi',
  name,
  lines: (text) => [
    {
      type: 'context.append_message',
      message: { role: 'user', content: [{ type: 'text', text }], ...origin },
      time: Date.parse(at(1)),
    },
  ],
});
const grok = (name: string, more: object, wrap = (text: string) => text): AgentMachineLine => ({
  agent: 'grok',
  name,
  lines: (text) => [{ type: 'user', content: [{ type: 'text', text: wrap(text) }], ...more }],
});
const antigravity = (name: string, source: string, type: string): AgentMachineLine => ({
  agent: 'antigravity',
  name,
  lines: (text) => [{ step_index: 1, source, type, status: 'DONE', created_at: at(1), content: text }],
});
const rowOf = (
  agent: Agent,
  name: string,
  kind: string,
  row: (text: string) => object,
): AgentMachineLine => ({
  agent,
  name,
  lines: (text) => [{ staged: agent, kind, row: row(text) }],
});
const chat = (name: string, line: (text: string) => object): AgentMachineLine => ({
  agent: 'generic',
  name,
  lines: (text) => [{ ts: at(1), ...line(text) }],
});
const claude = (name: string, lines: (text: string) => object[]): AgentMachineLine => ({
  agent: 'claude-code',
  name,
  lines,
});

export const AGENT_MACHINE_LINES: AgentMachineLine[] = [
  codex('sentence without its event', (text) => item('user', text)),
  codex('skill', (text) => item('user', tag('skill', text))),
  codex('rules of the project', (text) => item('user', `# AGENTS.md instructions for /srv/shop\n\n${text}`)),
  codex('environment', (text) => item('user', tag('environment_context', text))),
  codex('aborted turn', (text) => item('user', tag('turn_aborted', text))),
  codex('notice of a subagent', (text) => item('user', tag('subagent_notification', text))),
  codex('prompt of a hook', (text) => item('user', tag('hook_prompt', text))),
  codex('instructions of the developer', (text) => item('developer', text)),
  codex('summary of another model', (text) =>
    item('user', `Another language model started to solve this problem. ${text}`),
  ),
  codex('list of data', (text) => item('user', JSON.stringify([{ note: text }]))),
  codex('event in the background', (text) => event({ type: 'background_event', message: text })),
  codex('event with data', (text) =>
    event({ type: 'user_message', message: JSON.stringify({ task: text }) }),
  ),
  gemini('context of the session', (text) => ({ content: tag('session_context', text) })),
  gemini('order to go on', (text) => ({ content: `System: Please continue. ${text}` })),
  gemini('information', (text) => ({ type: 'info', content: text })),
  gemini('context of a hook', (text) => ({ content: tag('hook_context', text) })),
  gemini('hidden message', (text) => ({ content: text, isHidden: true })),
  gemini('state of a compression', (text) => ({ content: tag('state_snapshot', text) })),
  gemini('content of a file', (text) => ({
    content: `read @notes.md\n--- Content from referenced files ---\n${text}\n--- End of content ---`,
  })),
  qwen('notification', { subtype: 'notification' }),
  qwen('order of a timer', { subtype: 'cron' }),
  qwen('reminder', {}, (text) => tag('system-reminder', text)),
  qwen('message of an agent', { origin: 'agent' }),
  qwen(
    'what a hook of Keepsake said, escaped',
    {},
    (text) =>
      `&lt;!-- keepsake:begin 0123456789abcdef --&gt;\n${text}\n&lt;!-- keepsake:end 0123456789abcdef --&gt;`,
  ),
  gemini('what a hook said before the words', (text) => ({
    content: `${tag('hook_context', text)}\n\nGo on.`,
  })),
  opencode('synthetic part', (text) => ({ text, synthetic: true })),
  opencode('ignored part', (text) => ({ text, ignored: true })),
  opencode('part that is synthetic by its metadata', (text) => ({ text, metadata: { synthetic: true } })),
  opencode('order behind a task', (text) => ({
    text: `Summarize the task tool output above and continue with your task. ${text}`,
  })),
  opencode('what the user ran', (text) => ({ text: `The following tool was executed by the user: ${text}` })),
  copilot('prompt of a skill', 'user.message', (text) => ({ content: text, source: 'skill-review' })),
  copilot('reminder', 'user.message', (text) => ({ content: tag('reminder', text) })),
  copilot('notification', 'system.notification', (text) => ({ content: text })),
  copilot('prompt of a subagent', 'user.message', (text) => ({ content: text, parentToolCallId: 'c1' })),
  cursor('reminder', (text) => tag('system_reminder', text)),
  cursor('facts of the user', (text) => tag('user_info', text)),
  cursor('words behind an unknown block', (text) => `${tag('monitor', 'run 3')}\n${text}`),
  droid('reminder', (text) => tag('system-reminder', text)),
  droid('words for the model only', (text) => text, { visibility: 'llm_only' }),
  droid('feedback of a hook', (text) => `Stop hook feedback:\n- ${text}`),
  pi('a prompt of another session of openclaw', (text) =>
    openclaw(text, { provenance: { kind: 'inter_session' } }),
  ),
  pi('a prompt of openclaw itself', (text) => openclaw(text, { provenance: { kind: 'internal_system' } })),
  pi('words of somebody else on a channel of openclaw', (text) =>
    openclaw(text, { __openclaw: { senderIsOwner: false } }),
  ),
  pi('the task of a subagent of openclaw', (text) => openclaw(`[Subagent Task] ${text}`)),
  pi('message of an extension', (text) => ({ type: 'custom_message', content: text })),
  pi('message of a hook', (text) => ({ type: 'message', message: { role: 'hookMessage', content: text } })),
  pi('heartbeat', (text) => piUser(`[Heartbeat] ${text}`)),
  pi('event of a channel', (text) => piUser(`System: [10:00] ${text}`)),
  cline('words outside of every tag', (text) => text),
  cline(
    'complaint of the client',
    (text) => `[ERROR] You did not use a tool in your previous response! ${text}`,
  ),
  cline('environment', (text) => tag('environment_details', text)),
  vscode('request that nobody began', (text) => ({ message: { text }, isSystemInitiated: true })),
  vscode('confirmation', (text) => ({ message: { text }, confirmation: 'yes' })),
  kimi('reminder with an origin of its own', {
    origin: { kind: 'injection', variant: 'todo_list_reminder' },
  }),
  kimi('order of a timer', { origin: { kind: 'cron_job' } }),
  kimi('message without an origin', {}),
  grok('facts of the machine', { synthetic_reason: 'environment_context' }),
  grok('block of the client', { prompt_index: 0 }, (text) => tag('user_info', text)),
  antigravity('words outside of the request', 'USER_EXPLICIT', 'USER_INPUT'),
  antigravity('message of the system', 'SYSTEM', 'SYSTEM_MESSAGE'),
  antigravity('result of a search', 'MODEL', 'SEARCH_WEB'),
  rowOf('hermes', 'order of a timer', 'message', (text) => ({ role: 'user', content: text, source: 'cron' })),
  rowOf('hermes', 'note of the system', 'message', (text) => ({
    role: 'user',
    content: `[SYSTEM: ${text}]`,
  })),
  rowOf('amp', 'content of files', 'message', (text) => ({
    role: 'user',
    content: [{ type: 'text', text: tag('attachedFiles', text) }],
  })),
  rowOf('amp', 'reminder', 'message', (text) => ({
    role: 'user',
    content: [{ type: 'text', text: tag('system-reminder', text) }],
  })),
  rowOf('aider', 'output of the client', 'client', (text) => ({ text })),
  rowOf('aider', 'command', 'user', (text) => ({ text: `/run ${text}` })),
  chat('words of the system', (text) => ({ role: 'system', text })),
  chat('words of a timer', (text) => ({ role: 'user', text, source: 'cron' })),
  chat('data', (text) => ({ role: 'user', text: JSON.stringify({ event: text }) })),
  claude('line of a client that marks typing, in a session without any mark', (text) => [userLine(text)]),
  claude('line of an early client that marks typing', (text) => [
    userLine('Let us start.', { version: '2.1.7', thinkingMetadata: { level: 'high' } }),
    userLine(text, { version: '2.1.7', timestamp: at(30) }),
  ]),
  claude('queue line of a client that repeats what was typed', (text) => [
    { ...userLine('', { version: '2.1.300' }), type: 'system', subtype: 'init', message: undefined },
    { type: 'queue-operation', operation: 'enqueue', timestamp: at(2), sessionId: 's', content: text },
  ]),
];
