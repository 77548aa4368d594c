import { HOOK_FOR } from './hook-for.ts';

/** The Node that runs a hook, and the hook. */
type HookProgram = { node: string; hook: string };

/** Asks the hook what memory has to say to a prompt; nothing that goes wrong there reaches the agent. */
const asking = (
  agent: string,
  { node, hook }: HookProgram,
) => `// Memory of earlier sessions. \`keepsake install\` wrote this file, \`keepsake uninstall\` removes it.
import { spawn } from 'node:child_process';

function remembered(input) {
  return new Promise((done) => {
    const child = spawn(${JSON.stringify(node)}, [${JSON.stringify(hook)}, '${HOOK_FOR}${agent}'], {
      cwd: input.cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: 10000,
      windowsHide: true,
    });
    let said = '';
    setTimeout(() => done(''), 10000).unref();
    child.on('error', () => done(''));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (some) => {
      said += some;
    });
    child.on('close', () => {
      try {
        done(JSON.parse(said).hookSpecificOutput.additionalContext);
      } catch {
        done('');
      }
    });
    child.stdin.end(JSON.stringify({ hook_event_name: 'UserPromptSubmit', ...input }));
  });
}
`;

/** An extension of pi: a message of its own beside a prompt, which pi stores as an extension's. */
export const piExtension = (program: HookProgram) => `${asking('pi', program)}
export default function (pi) {
  pi.on('before_agent_start', async ({ prompt }, { cwd, sessionManager }) => {
    const content = await remembered({ session_id: sessionManager.getSessionId(), cwd, prompt });
    return content ? { message: { customType: 'keepsake', content, display: false } } : undefined;
  });
}
`;

/** A plugin of OpenCode: a part more of the user's message, which OpenCode stores as a program's. */
export const opencodePlugin = (program: HookProgram) => `${asking('opencode', program)}
export const Keepsake = async ({ directory }) => ({
  'chat.message': async ({ sessionID }, { message, parts }) => {
    const typed = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
    if (typed.length === 0) return;
    const prompt = typed.map(({ text }) => text).join('\\n');
    const text = await remembered({ session_id: sessionID, cwd: directory, prompt });
    // Parts are shown in the order of their ids.
    const id = \`\${parts.at(-1).id}k\`;
    if (text) parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
  },
});
`;

/** Cline ends a hook after 3 seconds. */
const CLINE_MS = 2500;

/**
 * A plugin of Cline: context of its own behind a prompt, which Cline stores as a hook's. The question what to know at the
 * start is asked as soon as Cline loads the plugin; what comes too late for a prompt goes with the next tool call or prompt.
 */
export const clinePlugin = (program: HookProgram) => `${asking('cline', program)}
let place = {};
let asked = Promise.resolve();
const said = [];
const wordsOf = ({ content }) =>
  typeof content === 'string' ? content : content.map(({ type, text }) => (type === 'text' ? text : '')).join('\\n');

function ask(input) {
  asked = asked.then(async () => {
    const text = await remembered(input);
    if (text) said.push(text);
  });
  return asked;
}

function unsaid() {
  const appendContext = said.splice(0).join('\\n\\n');
  return appendContext ? { appendContext } : undefined;
}

export default {
  name: 'keepsake',
  manifest: { capabilities: ['hooks'] },
  setup(_, { session, workspaceInfo }) {
    place = { session_id: session?.sessionId, cwd: workspaceInfo?.rootPath };
    // A new session has no injection yet; a continued one still has its earlier ones.
    if (place.session_id && place.cwd) ask({ ...place, hook_event_name: 'SessionStart', source: 'resume' });
  },
  hooks: {
    async beforeRun({ snapshot }) {
      if (snapshot.parentAgentId) return undefined;
      const typed = snapshot.messages.findLast(({ role }) => role === 'user');
      const prompt = typed ? wordsOf(typed).replace(/<\\/?user_input\\b[^>]*>/g, '').trim() : '';
      const session_id = place.session_id ?? snapshot.conversationId;
      const tooLate = new Promise((done) => setTimeout(done, ${CLINE_MS}));
      await Promise.race([ask({ session_id, cwd: place.cwd ?? process.cwd(), prompt }), tooLate]);
      return unsaid();
    },
    afterTool({ snapshot }) {
      return snapshot.parentAgentId ? undefined : unsaid();
    },
  },
};
`;
