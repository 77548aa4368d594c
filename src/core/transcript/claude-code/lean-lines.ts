import { beginMark, composedId, endMark } from '../../text/composed-marks.ts';
import type { TokenCounter } from '../../text/tokens.ts';
import {
  type NativeBlock,
  type NativeLine,
  type NativeObject,
  outputsIn,
  withoutThinking,
} from './native-line.ts';
import { neededOutputs, type OutputVerdict } from './needed-outputs.ts';
import { queuedInChain } from './queued-in-chain.ts';

/** A line of a session file and its place; `queued` are a user's words that no message of the file has. */
export type SourceLine = { object: NativeObject; src: number; queued?: string | undefined };

export type LeanFacts = {
  sessionId: string;
  /** A fresh uuid; ids of lines differ from it in their last group, which counts. */
  uuid: string;
  ts: string;
  title: string;
  /** What the first message says of the copy. */
  preface: string;
  /** Places of lines whose output is part of a statement. */
  stated: ReadonlySet<number>;
};

export type LeanSession = {
  text: string;
  lines: number;
  outputs: OutputVerdict[];
  /** Tokens of what the client sends: messages, calls, outputs. */
  tokens: { before: number; after: number };
  /** Lines that the client does not send to the model, and thinking. */
  dropped: { lines: number; thinking: number };
  /** Places of the lines of which every word is in the copy. */
  intact: ReadonlySet<number>;
};

const MESSAGES = new Set(['user', 'assistant', 'system', 'attachment']);

/**
 * A copy of a session that the client can resume: every message as it is, outputs that later steps need no more cut to a
 * line. Ids count on from the first line's: reading such a file skips the copy.
 */
export function leanLines(source: readonly SourceLine[], facts: LeanFacts, count: TokenCounter): LeanSession {
  const verdicts = neededOutputs(source, facts.stated);
  const byId = new Map(verdicts.map((verdict) => [verdict.toolUseId, verdict]));
  const idOf = (place: number) => `${facts.uuid.slice(0, 24)}${place.toString(16).padStart(12, '0')}`;
  const kept = source.filter(isKept);
  const tokens = { before: 0, after: 0 };
  let thinking = 0;
  /** Of every old id the new one of the line itself, or of the nearest before it that is kept. */
  const renamed = new Map<string, string>();
  const lines: NativeLine[] = [];
  const intact = new Set<number>();
  const fromQueue = new Set<string>();
  let left = idOf(0);
  for (const { object, queued, src } of source) {
    const before = renamed.get(parentOf(object)) ?? left;
    if (!isKept({ object, queued })) {
      if (object.uuid) renamed.set(object.uuid, before);
      continue;
    }
    const id = idOf(lines.length + 1);
    if (queued !== undefined) fromQueue.add(id);
    const own = queued === undefined ? object : typed(queued, object, kept[0]?.object);
    tokens.before += tokensOf(own, count);
    const spoken = withoutThinking(own);
    thinking += spoken.thinking;
    const cut = withCutOutputs(spoken.object, byId);
    if (object.uuid) renamed.set(object.uuid, spoken.object === undefined ? before : id);
    if (cut === undefined) continue;
    if (cut === spoken.object) intact.add(src);
    tokens.after += tokensOf(cut, count);
    const answers = cut.sourceToolAssistantUUID;
    lines.push({
      ...fresh(cut),
      parentUuid: before,
      uuid: id,
      sessionId: facts.sessionId,
      ...(answers === undefined ? {} : { sourceToolAssistantUUID: renamed.get(answers) ?? before }),
    });
    if (queued === undefined) left = id;
  }
  const first = kept[0]?.object ?? {};
  const mark = composedId(`${facts.preface}\n${facts.uuid}`);
  const words = `${beginMark(mark, 1 + lines.filter(isSpoken).length)}\n${facts.preface}\n${endMark(mark)}`;
  const root = { ...typed(words, { timestamp: facts.ts }, first), parentUuid: null, uuid: idOf(0) };
  const all = queuedInChain([{ ...root, sessionId: facts.sessionId }, ...lines], fromQueue);
  const title = { type: 'summary', summary: facts.title, leafUuid: all.at(-1)?.uuid };
  return {
    text: [title, ...all].map((line) => `${JSON.stringify(line)}\n`).join(''),
    lines: all.length,
    outputs: verdicts,
    tokens,
    dropped: { lines: source.length - kept.length, thinking },
    intact,
  };
}

/** Messages of the conversation itself, and words that only the queue has. A compaction's summary replaces none of them. */
function isKept({ object, queued }: Pick<SourceLine, 'object' | 'queued'>): boolean {
  if (queued !== undefined) return true;
  const { type, isSidechain, isCompactSummary, subtype, uuid } = object;
  if (typeof uuid !== 'string' || isSidechain === true || isCompactSummary === true) return false;
  return MESSAGES.has(type ?? '') && subtype !== 'compact_boundary';
}

/** After a compaction the client begins a new chain; what was before it is named beside. */
function parentOf({ parentUuid, logicalParentUuid }: NativeObject): string {
  return parentUuid ?? logicalParentUuid ?? '';
}

/** The client adds up what each answer took: of the copy nothing was sent yet. */
function fresh(object: NativeObject): NativeObject {
  if (object.type !== 'assistant') return object;
  return { ...object, message: { ...object.message, usage: { input_tokens: 0, output_tokens: 0 } } };
}

function isSpoken({ type, message }: NativeLine): boolean {
  const { content } = message ?? {};
  if (type !== 'user' && type !== 'assistant') return false;
  if (typeof content === 'string') return true;
  return Array.isArray(content) && content.some((block) => block.type === 'text');
}

function typed(text: string, { timestamp }: NativeObject, like: NativeObject | undefined): NativeObject {
  const { cwd, version, gitBranch, userType = 'external' } = like ?? {};
  return {
    isSidechain: false,
    userType,
    cwd,
    version,
    gitBranch,
    type: 'user',
    message: { role: 'user', content: text },
    timestamp,
  };
}

/** The line with its outputs as the verdicts say; undefined if nothing is left of it. */
function withCutOutputs(
  object: NativeObject | undefined,
  verdicts: ReadonlyMap<string, OutputVerdict>,
): NativeObject | undefined {
  if (object === undefined) return undefined;
  const cut = outputsIn(object).filter(({ toolUseId }) => verdicts.get(toolUseId)?.text !== undefined);
  if (cut.length === 0) return object;
  const { toolUseResult: _, ...line } = object;
  const texts = new Map(cut.map(({ toolUseId }) => [toolUseId, verdicts.get(toolUseId)!.text!]));
  const content = line.message?.content;
  if (!Array.isArray(content)) return line;
  return {
    ...line,
    message: {
      ...line.message,
      content: content.map((block) => {
        const text = block.type === 'tool_result' ? texts.get(block.tool_use_id ?? '') : undefined;
        return text === undefined ? block : { ...block, content: text };
      }),
    },
  };
}

function tokensOf({ message }: NativeObject, count: TokenCounter): number {
  const content = message?.content;
  if (typeof content === 'string') return count(content);
  if (!Array.isArray(content)) return 0;
  return content.reduce((sum, block) => {
    if (block.type === 'text') return sum + count(block.text ?? '');
    if (block.type === 'tool_use') return sum + count(JSON.stringify(block.input ?? {}));
    if (block.type !== 'tool_result') return sum;
    return sum + count(outputText(block.content));
  }, 0);
}

function outputText(content: NativeBlock['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('\n');
}
