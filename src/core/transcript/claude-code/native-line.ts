/** A block of a message, as far as it matters here. */
export type NativeBlock = {
  type?: string;
  text?: string;
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
  tool_use_id?: string;
  is_error?: boolean;
  content?: string | { type?: string; text?: string }[];
};

/** A line of a session file of Claude Code; everything else in it stays as it is. */
export type NativeObject = {
  type?: string;
  subtype?: string;
  uuid?: string;
  parentUuid?: string | null;
  logicalParentUuid?: string;
  isSidechain?: boolean;
  isCompactSummary?: boolean;
  isMeta?: boolean;
  message?: { id?: string; role?: string; content?: string | NativeBlock[]; usage?: unknown };
  /** Of an output: the line of its call. */
  sourceToolAssistantUUID?: string;
  toolUseResult?: unknown;
  cwd?: string | undefined;
  version?: string | undefined;
  gitBranch?: string | undefined;
  userType?: string;
  timestamp?: string | undefined;
};

export type NativeLine = NativeObject & { sessionId: string };

export type NativeCall = { id: string; name: string; input: Record<string, unknown> };
type NativeOutput = { toolUseId: string; text: string; isError: boolean; hasImage: boolean };

function blocksOf({ message }: NativeObject): NativeBlock[] {
  return Array.isArray(message?.content) ? message.content : [];
}

export function callsIn(object: NativeObject): NativeCall[] {
  return blocksOf(object).flatMap(({ type, id, name, input }) =>
    type === 'tool_use' && id !== undefined ? [{ id, name: name ?? '', input: input ?? {} }] : [],
  );
}

export function outputsIn(object: NativeObject): NativeOutput[] {
  return blocksOf(object).flatMap(({ type, tool_use_id: toolUseId, content, is_error: isError = false }) => {
    if (type !== 'tool_result' || toolUseId === undefined) return [];
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
    const text = parts.map((part) => part.text ?? '').join('\n');
    return [{ toolUseId, text, isError, hasImage: parts.some((part) => part.type === 'image') }];
  });
}

/** What someone said in it. */
export function spokenWords({ message }: NativeObject): string {
  if (typeof message?.content === 'string') return message.content;
  const blocks = Array.isArray(message?.content) ? message.content : [];
  return blocks.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('\n');
}

/** Thinking is signed for its own conversation: it can't go into another. Undefined where a line has nothing else. */
export function withoutThinking(object: NativeObject): {
  object: NativeObject | undefined;
  thinking: number;
} {
  const blocks = blocksOf(object);
  const rest = blocks.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  const thinking = blocks.length - rest.length;
  if (thinking === 0) return { object, thinking };
  if (rest.length === 0) return { object: undefined, thinking };
  return { object: { ...object, message: { ...object.message, content: rest } }, thinking };
}
