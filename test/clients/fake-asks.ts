export type Json = Record<string, unknown>;

/** What a request asks for, in any protocol. */
export type Asked = {
  /** The user's last prompt. */
  prompt: string;
  /** The tool call that this prompt asks for, once. */
  call?: { name: string; input: Json; command: string };
  /** The client asks for a title or a summary; then it offers no tool that runs commands. */
  isAside: boolean;
};

type Tool = { name: string; schema: Json };
type Turn = { role: string; text: string; isResult: boolean };

const RUN = /RUN:(.+?):END/s;
const ADDED = /^\s*<(?:system-reminder>|hook_context\b|hook_result\b)/;
const SHELL = /shell|bash|exec|command|terminal/i;

/** `again`: runs the prompt's command once more, even if its result is already there. */
export function askedOf(json: Json, again = false): Asked {
  // Text that a client adds after the user's prompt is not a turn.
  const turns = turnsOf(json).filter(({ text, isResult }) => isResult || !ADDED.test(text));
  const tools = toolsOf(json);
  const last = turns.at(-1);
  const isOwn = (turn: Turn) => turn.role === 'user' && !turn.isResult && /\b(?:ask|RUN:)/.test(turn.text);
  const prompt = turns.filter(isOwn).at(-1)?.text ?? '';
  const words = /(?:ask \w[^<\n]*|RUN:.+?:END)/s.exec(prompt)?.[0] ?? prompt;
  const command =
    last && !last.isResult ? RUN.exec(last.text)?.[1] : again ? RUN.exec(prompt)?.[1] : undefined;
  const tool = tools.find(({ name, schema }) => SHELL.test(name) && commandField(schema) !== undefined);
  const call =
    command !== undefined && tool ? { name: tool.name, input: inputFor(tool, command), command } : undefined;
  return {
    prompt: words,
    ...(call ? { call } : {}),
    isAside: tool === undefined || (last !== undefined && !last.isResult && !isOwn(last)),
  };
}

function turnsOf({ messages, input, contents }: Json): Turn[] {
  if (typeof input === 'string') return [{ role: 'user', text: input, isResult: false }];
  const list = [messages, input, contents].find(Array.isArray) ?? [];
  return (list as Json[]).flatMap((item) => {
    const role = String(item.role ?? (item.type === 'function_call_output' ? 'tool' : ''));
    const type = String(item.type ?? '');
    if (role === '' && type !== 'function_call_output') return [];
    const parts = (item.content ?? item.parts ?? item.output ?? '') as unknown;
    const blocks = (Array.isArray(parts) ? parts : [{ text: parts }]) as Json[];
    const isResult =
      role === 'tool' ||
      blocks.some((block) => block.type === 'tool_result' || block.functionResponse !== undefined);
    const texts = blocks.map((block) => String(block.text ?? ''));
    // Newer clients add to the prompt's own message.
    const own = texts.filter((text) => !ADDED.test(text));
    return [{ role, text: (own.length > 0 ? own : texts).join('\n'), isResult }];
  });
}

function toolsOf({ tools }: Json): Tool[] {
  if (!Array.isArray(tools)) return [];
  return (tools as Json[]).flatMap((tool): Tool[] => {
    if (Array.isArray(tool.functionDeclarations))
      return (tool.functionDeclarations as Json[]).map((it) => ({
        name: String(it.name),
        schema: (it.parametersJsonSchema ?? it.parameters ?? {}) as Json,
      }));
    const of = (tool.function ?? tool) as Json;
    return [{ name: String(of.name ?? ''), schema: (of.parameters ?? of.input_schema ?? {}) as Json }];
  });
}

function commandField({ properties = {} }: Json): string | undefined {
  return ['command', 'cmd', 'commands', 'script'].find((name) => name in (properties as Json));
}

/** Fills in the tool's schema with the command; other required fields get a plain value. */
function inputFor({ schema }: Tool, command: string): Json {
  const field = commandField(schema) ?? 'command';
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const isList = properties[field]?.type === 'array' || properties[field]?.type === 'ARRAY';
  const value = !isList ? command : field === 'commands' ? [command] : ['bash', '-lc', command];
  const input: Json = { [field]: value };
  for (const name of (schema.required ?? []) as string[]) {
    if (name === field) continue;
    const type = String(properties[name]?.type ?? 'string').toLowerCase();
    const [first] = (properties[name]?.enum ?? []) as unknown[];
    input[name] =
      first ??
      (type === 'boolean'
        ? false
        : type === 'number' || type === 'integer'
          ? 1
          : type === 'array'
            ? []
            : 'made');
  }
  return input;
}
