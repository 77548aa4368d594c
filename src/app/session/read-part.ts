import { createHash } from 'node:crypto';
import type { ToolDetail, Turn } from '../../core/compress/turn.ts';
import { exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { Entry, ToolCallEntry } from '../../core/model/entry.ts';
import { saidText } from '../../core/model/l1.ts';
import { redact } from '../../core/text/redact.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { newSessionFacts, noteEntry } from '../../core/transcript/session-facts.ts';
import type { PlacedLine } from '../find/read-lines-of.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { entryTokens } from '../intake/fold-session.ts';
import { sessionSecrets } from '../intake/session-secrets.ts';
import type { World } from '../world.ts';

/** Bytes of a session's original, the last one exclusive, and the lines of L1 that were made from them. */
type SessionStretch = {
  ref: SessionRef;
  agent: Agent;
  bytes: readonly [from: number, to: number];
  lines: PlacedLine[];
};

/** How many messages and tokens a stretch has. */
export async function messagesBetween(
  world: World,
  stretch: SessionStretch,
  count: TokenCounter,
): Promise<{ messages: number; tokens: number }> {
  const facts = newSessionFacts();
  let tokens = 0;
  await eachEntry(world, stretch, (entry, isRefined) => {
    if (isRefined || entry.kind !== 'user') tokens += entryTokens(entry, count);
    noteEntry(facts, entry, NONE, !isRefined);
  });
  return { messages: facts.counts.human + facts.counts.assistant, tokens };
}

/** Every entry of a stretch with its tokens, what the agent thought too; of a result the tool that it answers. */
export async function eachCounted(
  world: World,
  stretch: SessionStretch,
  count: TokenCounter,
  visit: (entry: Entry, tokens: number, tool: string | undefined) => void,
): Promise<void> {
  const names = new Map<string, string>();
  const onCall = (entry: ToolCallEntry) => void names.set(entry.toolUseId, entry.name);
  const onEntry = (entry: Entry, isRefined: boolean) => {
    if (entry.kind === 'tool-call') onCall(entry);
    if (!isRefined && entry.kind === 'user') return;
    const tokens = entry.kind === 'thinking' ? count(entry.text) : entryTokens(entry, count);
    visit(entry, tokens, entry.kind === 'tool-result' ? names.get(entry.toolUseId) : undefined);
  };
  await eachEntry(world, stretch, onEntry, { onCall, thinking: true });
}

const NONE = new Set<string>();

/**
 * A part in the form that compression reads: its L1 lines, tool calls with input and output. `hash` is the sha256 of its bytes
 * in the original.
 */
export async function readTurns(
  world: World,
  stretch: SessionStretch,
): Promise<{ turns: Turn[]; hash: string }> {
  const { ref, lines } = stretch;
  const { details, messages, hash } = await detailsOf(world, stretch);
  const exchanges = exchangesOf(
    ref.session,
    lines.map(({ line }) => line),
  );
  let current = 0;
  const turns = lines.map(({ line, at }, index) => {
    while (index + 1 > exchanges[current]!.l1_range[1]) current++;
    const { id, abandoned } = exchanges[current]!;
    const detail = line.role === 'tool' ? takeDetail(details, line.src, line.name) : undefined;
    const message = line.sent === undefined ? messages.get(line.src) : undefined;
    return {
      // An answer without its question says nothing.
      line: line.asked === undefined ? line : { ...line, text: saidText(line) },
      at,
      exchange: id,
      ...(message === undefined ? {} : { message }),
      abandoned,
      ...(detail ? { detail } : {}),
    };
  });
  return { turns, hash };
}

type Call = ToolDetail & { name: string };

async function detailsOf(
  world: World,
  stretch: SessionStretch,
): Promise<{ details: Map<number, Call[]>; messages: Map<number, number>; hash: string }> {
  const known = await sessionSecrets(world, stretch.ref);
  const hash = createHash('sha256');
  const facts = newSessionFacts();
  const messages = new Map<number, number>();
  const bySrc = new Map<number, Call[]>();
  const byId = new Map<string, Call>();
  const onBytes = (bytes: Buffer) => hash.update(bytes).update('\n');
  const onCall = (entry: ToolCallEntry) => {
    const call: Call = { name: entry.name, input: cleanInput(known.cover(entry)), isError: false };
    bySrc.set(entry.src[0], [...(bySrc.get(entry.src[0]) ?? []), call]);
    byId.set(entry.toolUseId, call);
  };
  const onEntry = (entry: Entry, isRefined: boolean) => {
    const before = facts.counts.human + facts.counts.assistant;
    noteEntry(facts, entry, NONE, !isRefined);
    const now = facts.counts.human + facts.counts.assistant;
    if (now > before || entry.kind === 'assistant' || entry.kind === 'tool-call')
      messages.set(entry.src[0], now);
    if (entry.kind === 'tool-call') onCall(entry);
    else if (entry.kind === 'tool-result') {
      const call = byId.get(entry.toolUseId);
      if (!call) return;
      call.output = redact(known.cover(entry.text)).text;
      call.isError = entry.isError;
    }
  };
  await eachEntry(world, stretch, onEntry, { onBytes, onCall });
  return { details: bySrc, messages, hash: hash.digest('hex') };
}

/** Several calls can be on one line of the original; each is included once. */
function takeDetail(details: Map<number, Call[]>, src: number, name = ''): ToolDetail | undefined {
  const calls = details.get(src);
  const index = calls?.findIndex((call) => call.name === name) ?? -1;
  const call = calls?.splice(Math.max(0, index), 1)[0];
  if (!call) return undefined;
  const { name: _, ...detail } = call;
  return detail;
}

function cleanInput(entry: ToolCallEntry): Record<string, unknown> {
  return cleaned(entry.input, 0) as Record<string, unknown>;
}

/** Every text in it redacted; what is nested deeper than any tool nests it is left out. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redact(value).text;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 8) return null;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item, depth + 1)]));
}

/**
 * The entries of the conversation between two bytes of the original. A line that L1 does not have is a repetition
 * of an earlier one and is passed over; a result belongs to its call. `isRefined`: L1 has its words at this place.
 * `onCall` sees the calls before `from` that were answered after it.
 */
async function eachEntry(
  world: World,
  { ref, agent, bytes: [from, to], lines }: SessionStretch,
  visit: (entry: Entry, isRefined: boolean) => void,
  options: {
    onBytes?: (line: Buffer) => void;
    onCall?: (entry: ToolCallEntry) => void;
    /** Shows what the agent thought, too, which has no line in L1. */
    thinking?: true;
  } = {},
): Promise<void> {
  const known = new Map<number, boolean>();
  for (const { line } of lines) known.set(line.src, line.sent === undefined || known.get(line.src) === true);
  const calls = new Set<string>();
  // An agent that writes a message again when its tools have run has its words at the first place only.
  const places = new Map<string, number>();
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  for (const src of new Set(lines.flatMap(({ line }) => (line.src < from ? [line.src] : [])))) {
    await world.transcripts.readLines(path, src, (line, at, last) => {
      for (const { entries } of readLine(agent, line, at, last).objects) {
        for (const entry of entries) {
          if (entry.kind !== 'tool-call' || entry.agentId !== undefined) continue;
          calls.add(entry.toolUseId);
          options.onCall?.(entry);
        }
      }
      return 'stop';
    });
  }
  await world.transcripts.readLines(path, from, (line, at, last) => {
    if (at >= to) return 'stop';
    options.onBytes?.(line);
    for (const object of readLine(agent, line, at, last).objects) {
      for (const entry of object.entries) {
        if (entry.agentId !== undefined) continue;
        const [src] = entry.src;
        const isRefined = known.get(src);
        const isThought = entry.kind === 'thinking' && options.thinking === true;
        if ((entry.kind === 'user' || entry.kind === 'assistant' || isThought) && entry.id !== '') {
          if ((places.get(entry.id) ?? src) !== src) continue;
          places.set(entry.id, src);
        }
        const isKnown = entry.kind === 'tool-result' ? calls.has(entry.toolUseId) : isRefined !== undefined;
        if (!isKnown && !isThought) continue;
        if (entry.kind === 'tool-call') calls.add(entry.toolUseId);
        visit(entry, isRefined === true);
      }
    }
    return true;
  });
}
