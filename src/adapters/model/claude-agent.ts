import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import type { Model, ModelAnswer, ModelAsk } from '../../ports/model.ts';
import { at, countAt, readObject, textAt } from './event-stream.ts';
import type { Failed } from './http-call.ts';

export type AgentOptions = {
  command: string;
  /** Where it runs: a folder with nothing in it. */
  folder: string;
  timeoutMs: number;
  /** The environment of the child, with the hooks turned off. */
  variables: Record<string, string | undefined>;
};

const MOST_OUTPUT = 8_000_000;
const KILL_AFTER_MS = 3000;

/** The agent runs alone: nobody's settings, no plugin, no server, no tool, and it writes no session. */
export const ALONE: readonly string[] = [
  '--setting-sources',
  '',
  '--strict-mcp-config',
  '--tools',
  '',
  '--disable-slash-commands',
  '--no-session-persistence',
];

/** What belongs to the session that this runs in is none of the child's business; it shall ask once, and not too much. */
export function agentVariables(
  variables: Record<string, string | undefined>,
  maxTokens: number,
): Record<string, string | undefined> {
  const own = { ...variables };
  for (const name of ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT']) delete own[name];
  return {
    ...own,
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

/** The installed `claude` command, on the user's own subscription or key. */
export function claudeAgent(options: AgentOptions): Model {
  return {
    service: 'claude',
    place: options.command,
    startsAgent: true,
    async ask(ask) {
      const args = ['-p', '--output-format', 'json', '--model', ask.model, '--session-id', ask.session];
      const ran = await run(options, [...args, '--system-prompt', ask.system, ...ALONE], ask);
      return 'kind' in ran ? ran : answerOf(ran.stdout, ran.stderr);
    },
    async probe() {
      const ran = await run(options, ['--version'], undefined);
      if ('kind' in ran) return { reached: false, message: ran.message, models: [] };
      const version = ran.stdout.trim().split('\n')[0] ?? '';
      return { reached: true, message: `${version} is installed.`, models: [] };
    },
  };
}

const running = new Set<ChildProcess>();
/** However this program ends, its child ends, too. */
const endAll = () => {
  for (const child of running) child.kill('SIGKILL');
};

type Ran = { stdout: string; stderr: string };

async function run(options: AgentOptions, args: string[], ask: ModelAsk | undefined): Promise<Ran | Failed> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  if (ask?.signal?.aborted) return stopped();
  return new Promise((resolve) => {
    const child = spawn(options.command, args, {
      cwd: options.folder,
      env: agentVariables(options.variables, ask?.maxTokens ?? 1),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (running.size === 0) process.on('exit', endAll);
    running.add(child);
    let [stdout, stderr] = ['', ''];
    let ended: Failed | undefined;
    const end = (why: Failed) => {
      ended ??= why;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
    };
    const timer = setTimeout(
      () =>
        end({
          kind: 'failed',
          why: 'broken',
          message: 'The claude command stopped responding.',
          again: true,
        }),
      options.timeoutMs,
    );
    const stop = () => end(stopped());
    ask?.signal?.addEventListener('abort', stop, { once: true });
    const done = (result: Ran | Failed) => {
      clearTimeout(timer);
      ask?.signal?.removeEventListener('abort', stop);
      running.delete(child);
      if (running.size === 0) process.off('exit', endAll);
      resolve(ended ?? result);
    };
    child.stdout.on('data', (bytes: Buffer) => {
      if (stdout.length < MOST_OUTPUT) stdout += bytes.toString('utf8');
    });
    child.stderr.on('data', (bytes: Buffer) => {
      if (stderr.length < MOST_OUTPUT) stderr += bytes.toString('utf8');
    });
    child.on('error', () => done(notThere(options.command)));
    child.on('close', () => done({ stdout, stderr }));
    // It may be gone before it has read all: its exit status says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(ask?.prompt ?? '');
  });
}

function answerOf(stdout: string, stderr: string): ModelAnswer {
  const result = readObject(stdout.trim().split('\n').at(-1) ?? '');
  if (!result || textAt(result, 'type') !== 'result') {
    const firstLine = stderr.trim().split('\n')[0]?.slice(0, 300) ?? '';
    const message = `The claude command gave no answer${firstLine === '' ? '.' : `: ${firstLine}`}`;
    return { kind: 'failed', why: 'broken', message, again: false };
  }
  const usage = {
    input:
      countAt(result, 'usage', 'input_tokens') +
      countAt(result, 'usage', 'cache_creation_input_tokens') +
      countAt(result, 'usage', 'cache_read_input_tokens'),
    output: countAt(result, 'usage', 'output_tokens'),
  };
  const text = textAt(result, 'result');
  const stop = textAt(result, 'stop_reason');
  if (stop === 'refusal') return { kind: 'text', text, end: 'refused', usage };
  if (at(result, 'is_error') !== true)
    return { kind: 'text', text, end: stop === 'max_tokens' ? 'cut' : 'done', usage };
  return failureOf(countAt(result, 'api_error_status'), text, usage.output > 0 ? usage : 'nothing');
}

function failureOf(status: number, text: string, usage: NonNullable<Failed['usage']>): Failed {
  const message = `The claude command failed: ${text.slice(0, 300)}`;
  const failed = (why: Failed['why'], again: boolean): Failed => ({
    kind: 'failed',
    why,
    message,
    again,
    usage,
  });
  if (status === 401 || status === 403 || /log ?in|api key|authenticat/i.test(text))
    return failed('key', false);
  if (status === 404 || /model.{0,80}(?:not exist|not found|no access)/i.test(text))
    return failed('model', false);
  if (status === 429 || status >= 500) return failed('busy', true);
  if (status >= 400) return failed('rejected', false);
  return failed('broken', true);
}

function notThere(command: string): Failed {
  const message = `The ${command} command was not found.`;
  return { kind: 'failed', why: 'unreachable', message, again: false, usage: 'nothing' };
}

function stopped(): Failed {
  return { kind: 'failed', why: 'stopped', message: 'Stopped.', again: false };
}
