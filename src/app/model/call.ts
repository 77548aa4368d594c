import { createHash } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, toSessionId } from '../../core/model/ids.ts';
import { fields, oneOf, text } from '../../core/model/shape.ts';
import { redact } from '../../core/text/redact.ts';
import { loadTokenCounter, type TokenCounter } from '../../core/text/tokens.ts';
import type { ModelAnswer, ModelUsage } from '../../ports/model.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { answersFolder } from './answers-folder.ts';
import type { Engine } from './engine.ts';
import { reserve, settle } from './ledger.ts';
import { noteSpawned } from './spawned-sessions.ts';

export type ModelUse = 'compress' | keyof Omit<Engine['settings']['use'], 'all'>;

export type ModelRequest = {
  use: ModelUse;
  system: string;
  prompt: string;
  /** Of the answer, thinking included. */
  maxTokens: number;
  project: ProjectId;
  session?: string;
};

export type ModelReply = { text: string; end: 'done' | 'cut' | 'refused'; cached: boolean };

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Whether there is something in an answer that can be used. Only such answers are kept for the next time. */
  isSound: (text: string, end: ModelReply['end']) => boolean;
};

const MOST_TRIES = 6;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** Services count more tokens than we do, never half as many again. */
const COUNT_MARGIN = 1.5;
/** What an agent adds to a prompt of its own. */
const AGENT_TOKENS = 4000;

/**
 * Asks a model once, and again while the service is busy or breaks off. What was answered before is not asked again.
 * Every secret that redaction knows is taken out first. Faults: a key or a model that is not accepted, a service that
 * can't be reached, a cap that would be passed, Ctrl-C.
 */
export async function askModel(
  world: World,
  engine: Engine,
  request: ModelRequest,
  options: CallOptions,
): Promise<ModelReply> {
  const plain = withoutSecrets(request);
  const name = cacheName(engine, plain);
  const stored = await storedAnswer(world, name);
  if (stored) return stored;
  const count = await loadTokenCounter();
  for (let tries = 1; ; tries++) {
    if (options.signal?.aborted) throw stopped();
    const answer = await askOnce(world, engine, plain, { count, signal: options.signal });
    if (answer.kind === 'text') {
      const reply: ModelReply = { text: answer.text, end: answer.end, cached: false };
      if (options.isSound(answer.text, answer.end))
        await world.archive.files.write(
          undefined,
          name,
          JSON.stringify({ text: reply.text, end: reply.end }),
        );
      return reply;
    }
    if (answer.why === 'stopped') throw stopped();
    if (!answer.again || tries === MOST_TRIES) throw failure(engine, answer, tries);
    const wait = Math.min(LONGEST_WAIT_MS, answer.waitMs ?? FIRST_WAIT_MS * 2 ** (tries - 1));
    await world.models!.pause(wait, options.signal);
  }
}

async function askOnce(
  world: World,
  engine: Engine,
  request: ModelRequest,
  { count, signal }: Pick<CallOptions, 'signal'> & { count: TokenCounter },
): Promise<ModelAnswer> {
  const most = mostOf(engine, request, count);
  const { use, project, session, system, prompt, maxTokens } = request;
  const line = await reserve(world, engine, { use, project, ...(session ? { session } : {}) }, most);
  const agent = toSessionId(world.random.uuid());
  if (engine.model.startsAgent) await noteSpawned(world, agent);
  const ask = { model: engine.id, system, prompt, maxTokens, session: agent, ...(signal ? { signal } : {}) };
  const answer = await engine.model.ask(ask);
  const paid =
    answer.usage === 'nothing'
      ? { input: 0, output: 0 }
      : (answer.usage ??
        (answer.kind === 'text'
          ? { input: count(system) + count(prompt), output: count(answer.text) }
          : most));
  const outcome = answer.kind === 'text' ? 'answered' : answer.why;
  await settle(world, engine, line, { ...paid, outcome });
  return answer;
}

/** The most that a call can take. */
export function mostOf(
  engine: Engine,
  { system, prompt, maxTokens }: Pick<ModelRequest, 'system' | 'prompt' | 'maxTokens'>,
  count: TokenCounter,
): ModelUsage {
  const extra = engine.model.startsAgent ? AGENT_TOKENS : 0;
  return { input: Math.ceil(COUNT_MARGIN * (count(system) + count(prompt))) + extra, output: maxTokens };
}

/** Whether this was answered already. */
export async function isAnswered(world: World, engine: Engine, request: ModelRequest): Promise<boolean> {
  return (await storedAnswer(world, cacheName(engine, withoutSecrets(request)))) !== undefined;
}

function withoutSecrets(request: ModelRequest): ModelRequest {
  return { ...request, system: redact(request.system).text, prompt: redact(request.prompt).text };
}

function cacheName(engine: Engine, { system, prompt, maxTokens, project, session }: ModelRequest): string {
  const { service, place } = engine.model;
  const asked = JSON.stringify([service, place, engine.id, system, prompt, maxTokens]);
  const hash = createHash('sha256').update(asked).digest('hex').slice(0, 40);
  return `${answersFolder(project, session)}/${hash}.json`;
}

const ANSWER: StoredKind<Pick<ModelReply, 'text' | 'end'>> = {
  schema: fields({ text, end: oneOf('done', 'cut') }),
  damaged: 'Keepsake asks the model again.',
};

async function storedAnswer(world: World, name: string): Promise<ModelReply | undefined> {
  const { value } = await readStored(world, undefined, name, ANSWER);
  return value && { text: value.text, end: value.end, cached: true };
}

function failure(engine: Engine, answer: Extract<ModelAnswer, { kind: 'failed' }>, tries: number): Fault {
  const again = tries > 1 ? ` Keepsake tried ${tries} times.` : '';
  const hints = {
    key: 'Check the key: `keepsake models` shows which one is used.',
    model: `Check the name of the model: ${engine.id}. \`keepsake models\` lists the available models.`,
    rejected: '`keepsake models` shows the current settings.',
    busy: 'Run the command again later. Answers received so far are cached and not paid for twice.',
    unreachable: 'Start the server, or set another one with keepsake config set model.url.',
    broken: 'Run the command again later. Answers received so far are cached and not paid for twice.',
    stopped: '',
  };
  return new Fault('model', `${answer.message}${again}`, { hint: hints[answer.why] });
}

function stopped(): Fault {
  return new Fault('cancelled', 'Stopped.', {
    hint: 'Answers received so far are cached. Run the command again to continue.',
  });
}
