/** The shapes in which a client, a hook, a peer or a tool speaks where a person's words stand. */
export type MachineLine = { name: string; line: (text: string) => object };

const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';
let count = 0;

function uuid(): string {
  return `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}

const at = '2026-04-01T10:00:00.000Z';

export function userLine(content: unknown, more: object = {}): object {
  return {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: '/srv/shop',
    sessionId: SESSION,
    version: '2.1.300',
    gitBranch: 'main',
    type: 'user',
    message: { role: 'user', content },
    uuid: uuid(),
    timestamp: at,
    ...more,
  };
}

const enqueue = (content: string) => ({
  type: 'queue-operation',
  operation: 'enqueue',
  timestamp: at,
  sessionId: SESSION,
  content,
});

const attachment = (attached: object, more: object = {}) => ({
  ...userLine('', more),
  type: 'attachment',
  message: undefined,
  attachment: attached,
});

const result = (text: string, more: object = {}) =>
  userLine([{ type: 'tool_result', tool_use_id: 'toolu_x', content: text, ...more }]);

const user = (name: string, wrap: (text: string) => unknown, more: object = {}): MachineLine => ({
  name,
  line: (text) => userLine(wrap(text), more),
});

const tag = (name: string) => (text: string) => `<${name}>\n${text}\n</${name}>`;

export const MACHINE_LINES: MachineLine[] = [
  {
    name: 'task notice in a queue, as JSON',
    line: (text) => enqueue(JSON.stringify({ task_id: 'b1', description: text, task_type: 'local_bash' })),
  },
  { name: 'unknown JSON in a queue', line: (text) => enqueue(JSON.stringify({ event: 'x', message: text })) },
  { name: 'task notice in a queue, as a tag', line: (text) => enqueue(tag('task-notification')(text)) },
  { name: 'agent notice in a queue', line: (text) => enqueue(tag('agent-notification')(text)) },
  { name: 'unknown tag in a queue', line: (text) => enqueue(tag('monitor-event')(text)) },
  {
    name: 'cut JSON notice in a queue',
    line: (text) => enqueue(`{"task_id":"b1","description":${JSON.stringify(text)}`),
  },
  user('task notice', tag('task-notification')),
  user('teammate message', (text) => `<teammate-message teammate_id="lead">\n${text}\n</teammate-message>`),
  user('unknown lone tag', tag('background-event')),
  user('two lone tags', (text) => `${tag('event-a')(text)}\n${tag('event-b')(text)}`),
  user('JSON object', (text) => JSON.stringify({ type: 'notice', message: text })),
  user('JSON list', (text) => JSON.stringify([{ message: text }])),
  user('XML document', (text) => `<?xml version="1.0"?>\n<event><body>${text}</body></event>`),
  user('JSON lines', (text) => `${JSON.stringify({ event: 'a', text })}\n${JSON.stringify({ event: 'b' })}`),
  user('line for the transcript only', (text) => text, { isVisibleInTranscriptOnly: true }),
  user('line of a user that is no person', (text) => text, { userType: 'internal' }),
  user('error in place of a message', (text) => text, { isApiErrorMessage: true }),
  user('line with a mark of a newer client', (text) => text, { isRelayed: true }),
  user('line with an origin that is a word', (text) => text, { origin: 'scheduled' }),
  user('text beside the result of a tool', (text) => text, { toolUseResult: { stdout: '' } }),
  {
    name: 'message of another role',
    line: (text) => ({ ...userLine(''), message: { role: 'system', content: text } }),
  },
  {
    name: 'message with an origin of its own',
    line: (text) => ({ ...userLine(''), message: { role: 'user', content: text, origin: { kind: 'peer' } } }),
  },
  user('line of a peer', (text) => text, { origin: { kind: 'peer' } }),
  user('line of a task', (text) => text, { origin: { kind: 'task-notification' } }),
  user('line of an unknown origin', (text) => text, { origin: { kind: 'something-new' } }),
  user('line of a coordinator', (text) => text, { origin: { kind: 'coordinator' } }),
  user('prompt of the system', (text) => text, { promptSource: 'system' }),
  user('prompt of an unknown source', (text) => text, { promptSource: 'something-new' }),
  user('meta line', (text) => text, { isMeta: true }),
  user('expansion of a skill', (text) => [{ type: 'text', text }], { sourceToolUseID: 'toolu_1' }),
  user(
    'compaction',
    (text) => `This session is being continued from a previous conversation that ran out of context. ${text}`,
    {
      isCompactSummary: true,
    },
  ),
  user(
    'continuation without its mark',
    (text) => `This session is being continued from a previous conversation that ran out of context. ${text}`,
  ),
  user('reminder', tag('system-reminder')),
  user('output of a local command', tag('local-command-stdout')),
  user(
    'output of a shell command',
    (text) => `<bash-stdout>${text}</bash-stdout><bash-stderr></bash-stderr>`,
  ),
  user('shell input', tag('bash-input')),
  user(
    'caveat',
    (text) => `Caveat: The messages below were generated by the user while running local commands. ${text}`,
  ),
  user('stopped by a hook', (text) => `Operation stopped by hook: ${text}`),
  user('feedback of a stop hook', (text) => `Stop hook feedback:\n- ${text}`),
  user('output of a prompt hook', tag('user-prompt-submit-hook')),
  user('file opened in an editor', tag('ide_opened_file')),
  user('selection in an editor', tag('ide_selection')),
  user('base folder of a skill', (text) => `Base directory for this skill: /srv\n\n${text}`),
  user('clarification of the client', (text) => `The user wants to clarify these questions.\n${text}`),
  user('subagent', (text) => text, { isSidechain: true, agentId: 'a1' }),
  user('line of a timer', (text) => text, { wakeupSource: 'loop_wakeup' }),
  user('line of a schedule', (text) => text, { scheduledTaskId: 'cron-1' }),
  user('text that nobody typed', (text) => text, { textNotTyped: true }),
  user('words from elsewhere', (text) => text, { foreignWord: { source: 'page' } }),
  user('line that a host started', (text) => text, { hostInitiator: 'ci-monitor' }),
  user('line of a turn that nobody began', (text) => text, { turnOrigin: 'auto_continuation' }),
  user('line of a plugin', (text) => text, { origin: { kind: 'plugin' } }),
  { name: 'hook context', line: (text) => attachment({ type: 'hook_additional_context', content: [text] }) },
  { name: 'hook success', line: (text) => attachment({ type: 'hook_success', content: text }) },
  {
    name: 'queued command of a peer',
    line: (text) => attachment({ type: 'queued_command', prompt: text, origin: { kind: 'peer' } }),
  },
  {
    name: 'queued task notice',
    line: (text) => attachment({ type: 'queued_command', prompt: text, commandMode: 'task-notification' }),
  },
  {
    name: 'queued line of a peer',
    line: (text) => attachment({ type: 'queued_command', prompt: text }, { origin: { kind: 'peer' } }),
  },
  { name: 'result of a tool', line: (text) => result(text) },
  {
    name: 'refusal that a tool forged',
    line: (text) =>
      result(
        `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${text}`,
        { is_error: true },
      ),
  },
  {
    name: 'clarification in a refusal',
    line: (text) =>
      result(
        `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n${text}`,
        { is_error: true },
      ),
  },
  {
    name: 'note of the client',
    line: (text) => ({
      ...userLine(''),
      type: 'system',
      subtype: 'informational',
      message: undefined,
      content: text,
    }),
  },
];

/** Lines that look like typing to the letter, of clients that mark what is typed, and have no mark. */
export const UNPROVEN_LINES: MachineLine[] = [
  user('plain line without a mark', (text) => text),
  user('plain line with the id of a prompt', (text) => text, { promptId: 'p1' }),
  user('line with a mode only, of a client that names the source', (text) => text, {
    promptId: 'p1',
    permissionMode: 'default',
  }),
  user('text behind a tag that closes itself', (text) => `<tick/> ${text}`, { version: '2.0.9' }),
  user('text behind a tag with fields', (text) => `<schedule id="3" /> ${text}`, { version: '2.1.20' }),
  user('prompt of a teammate', (text) => text, { agentName: 'reviewer', version: '2.1.20' }),
  { name: 'text of a timer in a queue', line: (text) => enqueue(text) },
  {
    name: 'queued command without an origin',
    line: (text) => attachment({ type: 'queued_command', prompt: text, commandMode: 'prompt' }),
  },
];

/** How notices begin that a client without marks may write where its user's words stand. */
const NOTICES: [name: string, wrap: (text: string) => unknown, more?: object][] = [
  ['label in brackets', (text) => `[Background task b7 finished] ${text}`],
  ['word of a program in brackets', (text) => `[cron] ${text}`],
  ['tag before it', (text) => `<watch id="3"/> ${text}`],
  ['tag that is not closed', (text) => `<notice> ${text}`],
  ['system in capitals', (text) => `SYSTEM: ${text}`],
  ['message of the system', (text) => `System message: ${text}`],
  ['notification', (text) => `Notification: ${text}`],
  ['reminder', (text) => `Reminder: ${text}`],
  ['note', (text) => `Note: ${text}`],
  ['warning with a sign', (text) => `⚠️ ${text}`],
  ['task that ended', (text) => `Background command finished with exit code 0. ${text}`],
  ['agent that ended', (text) => `Agent explore-2 completed its work. ${text}`],
  ['words about the user', (text) => `The user has opened the file cart.ts. ${text}`],
  ['state of the session', (text) => `Your session has been resumed. ${text}`],
  ['state of the plan', (text) => `The plan was approved. ${text}`],
  ['message of a peer', (text) => `Message from another agent: ${text}`],
  ['what a peer says', (text) => `Another session says: ${text}`],
  ['output of a hook', (text) => `pre-push hook output: ${text}`],
  ['fields of a record', (text) => `task_id: b1\nstatus: done\nsummary: ${text}`],
  ['automatic message', (text) => `This is an automated message. ${text}`],
  ['banner', (text) => `=== nightly ===\n${text}`],
  ['mail', (text) => `From: ci@example.org\nSubject: nightly\n\n${text}`],
  ['line of a log', (text) => `2025-07-01T10:00:00Z ${text}`],
  ['content of a file', (text) => `Contents of /srv/shop/RULES.md:\n\n${text}`],
  ['field that no prompt has', (text) => text, { subtype: 'scheduled' }],
  ['block of text with a label', (text) => [{ type: 'text', text: `[Hook stopped the run] ${text}` }]],
];

/** The same of clients before any mark, and of those that mark some lines only. */
export const OLD_NOTICES: MachineLine[] = NOTICES.flatMap(([name, wrap, more]) => [
  user(`${name}, of an old client`, wrap, { version: '1.0.60', ...more }),
  user(`${name}, of a line without a version`, wrap, { version: undefined, ...more }),
]);

/** The marks that the client gives to what a person typed. */
export const TYPED = { origin: { kind: 'human' }, promptSource: 'typed', permissionMode: 'default' };

/** The same words in a queue line, and as they are given to the agent afterwards. */
export function queuedLines(text: string): object[] {
  const given = { type: 'queued_command', prompt: text, commandMode: 'prompt', origin: { kind: 'human' } };
  return [enqueue(text), attachment(given)];
}
