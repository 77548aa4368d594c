import type { Agent } from '../../src/core/model/agent.ts';
import { at } from './happening.ts';

const TITLE = 'The basket is empty';
const staged = (agent: string, kind: string, row: object) => ({ staged: agent, kind, row });
const qwen = {
  ...{ sessionId: 'made', cwd: '/srv/shop', timestamp: at(20), parentUuid: null, version: '0.15.10' },
};
const failedBlock = { type: 'tool_result', tool_use_id: 'f', content: 'it broke', is_error: true };
/** In the order in which the client writes it: such lines are read without being parsed whole. */
export const CLAUDE_CODE_RESULT = {
  parentUuid: '0f0e0d0c-0b0a-4908-8706-050403020100',
  isSidechain: false,
  ...{ userType: 'external', cwd: '/srv/shop', sessionId: 'made', version: '2.1.0', gitBranch: 'main' },
  type: 'user',
  message: {
    role: 'user',
    content: [{ tool_use_id: 'f', type: 'tool_result', content: 'it broke', is_error: true }],
  },
  ...{ uuid: 'f', timestamp: at(20), toolUseResult: 'it broke' },
};
const codex = (type: string, payload: object) => ({ timestamp: at(20), type, payload });
const copilot = (id: string, type: string, data: object) => ({
  ...{ type, data, id, timestamp: at(20), parentId: null },
});
const pi = (id: string, more: object) => ({ id, parentId: null, timestamp: at(20), ...more });
const opencodeRan = {
  type: 'tool',
  tool: 'bash',
  callID: 'f',
  state: { status: 'completed', input: { command: 'x' }, output: 'it broke', metadata: { exit: 1 } },
  id: 'prt_f',
};

/**
 * What a session of an agent may have besides words: a title, its folder, a failure that no word of the result tells. Here is only
 * what its writer does not write in every session.
 */
export const MARKED_LINES: { readonly [agent in Agent]?: object[] } = {
  'claude-code': [
    CLAUDE_CODE_RESULT,
    { type: 'ai-title', aiTitle: TITLE, sessionId: 'made' },
    { type: 'custom-title', customTitle: TITLE, sessionId: 'made' },
    { type: 'summary', summary: TITLE, leafUuid: 'f' },
  ],
  codex: [
    codex('event_msg', { type: 'thread_name_updated', thread_id: 'made', thread_name: TITLE }),
    codex('response_item', {
      type: 'function_call_output',
      call_id: 'f',
      output: { content: 'it broke', success: false },
    }),
    codex('turn_context', { cwd: '/srv/shop', model: 'made-1' }),
  ],
  gemini: [{ $set: { summary: TITLE, directories: ['/srv/shop'] } }],
  opencode: [
    { opencode: 'session', row: { id: 'made', directory: '/srv/shop', title: TITLE } },
    { opencode: 'part', message: 'msg_f', role: 'assistant', at: 1, row: opencodeRan },
  ],
  copilot: [
    copilot('t', 'session.title_changed', { title: TITLE }),
    copilot('f', 'tool.execution_complete', {
      toolCallId: 'f',
      success: false,
      result: { content: 'it broke' },
    }),
    copilot('g', 'tool.execution_complete', {
      toolCallId: 'g',
      success: true,
      result: { content: 'it broke' },
      shellExecution: { exitCode: 1 },
    }),
  ],
  'vscode-copilot': [
    staged('vscode-copilot', 'request', {
      requestId: 'f',
      message: { text: 'Run it.' },
      response: [],
      result: {
        metadata: {
          toolCallRounds: [{ response: '', toolCalls: [{ id: 'f1', name: 'run', arguments: '{"x":1}' }] }],
          toolCallResults: { f1: { content: [{ value: 'it broke' }], isError: true } },
        },
      },
    }),
    staged('vscode-copilot', 'title', { customTitle: TITLE, creationDate: 1 }),
  ],
  qwen: [
    {
      ...{ uuid: 'f', type: 'tool_result', ...qwen },
      message: {
        role: 'user',
        parts: [{ functionResponse: { id: 'f', name: 'x', response: { output: 'it broke' } } }],
      },
      toolCallResult: { callId: 'f', status: 'error', resultDisplay: 'it broke' },
    },
    {
      ...{ uuid: 't', type: 'system', subtype: 'custom_title', ...qwen },
      systemPayload: { customTitle: TITLE, titleSource: 'manual' },
    },
  ],
  pi: [
    pi('t', { type: 'session_info', name: TITLE }),
    pi('f', {
      type: 'message',
      message: { role: 'bashExecution', command: 'x', output: 'it broke', exitCode: 1, timestamp: 1 },
    }),
  ],
  cline: [staged('cline', 'message', { id: 'f', role: 'user', content: [failedBlock], ts: 1 })],
  droid: [{ type: 'message', id: 'f', timestamp: at(20), message: { role: 'user', content: [failedBlock] } }],
  grok: [{ type: 'tool_result', tool_call_id: 'f', content: 'it broke', is_error: true }],
  hermes: [
    staged('hermes', 'message', {
      ...{ number: '20', role: 'tool', content: 'it broke', tool_call_id: 'f', is_error: true },
    }),
  ],
  antigravity: [
    {
      ...{ step_index: 20, source: 'MODEL', type: 'RUN_COMMAND', status: 'ERROR' },
      ...{ created_at: at(20), content: 'it broke' },
    },
  ],
  amp: [
    staged('amp', 'message', {
      ...{ role: 'user', messageId: 20 },
      content: [
        { type: 'tool_result', toolUseID: 'f', run: { status: 'error', error: { message: 'it broke' } } },
      ],
    }),
    staged('amp', 'title', { title: TITLE }),
  ],
  kimi: [
    {
      ...{ type: 'context.append_loop_event', time: 1 },
      event: {
        ...{ type: 'tool.result', parentUuid: 'f', toolCallId: 'f' },
        result: { output: 'it broke', isError: true },
      },
    },
  ],
  roo: [staged('roo', 'message', { id: 'f', role: 'user', content: [failedBlock], ts: 1 })],
  'claude-mem': [
    staged('claude-mem', 'session', { id: 1, session: 'mem_made', cwd: '/srv/shop', custom_title: TITLE }),
  ],
  'cursor-ide': [
    staged('cursor-ide', 'bubble', {
      ...{ bubbleId: 'f', createdAt: at(20), type: 2, text: '' },
      toolFormerData: { toolCallId: 'f', name: 'x', rawArgs: '{}', status: 'error', result: 'it broke' },
    }),
  ],
};

/** Formats that have no such thing, and which: their folder is known by the file's place, and results are not in them. */
export const UNMARKED: { readonly [agent in Agent]?: string } = {
  cursor: 'folder title failure',
  'vscode-copilot': 'folder',
  cline: 'title',
  specstory: 'folder title failure',
  'claude-export': 'title failure',
  kimi: 'folder title',
  grok: 'folder title',
  hermes: 'title',
  antigravity: 'title',
  aider: 'title failure',
  roo: 'title',
  'claude-mem': 'failure',
  'memory-files': 'folder failure',
};
