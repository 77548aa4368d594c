import { sessionOf } from '../../app/sync/running-session.ts';
import type { SessionId } from '../../core/model/ids.ts';

/** What the agent passes to a hook. Only what is used, and only if it is what it should be. */
export type HookInput = {
  event: string;
  session: SessionId;
  transcript: string;
  cwd: string;
  /** SessionStart: startup, resume, clear, compact. */
  source: string;
  prompt: string;
  agentId: string;
  agentTranscript: string;
};

/** Of a tool's answer nothing is needed, and it can be huge: what is before it is enough. */
const BEFORE_TOOL = /,\s*"tool_(?:name|input|response)"\s*:/;
const LONG = 32_768;
/** Gemini CLI puts what a hook said at the start before the first prompt. */
const HOOK_CONTEXT = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

/** Undefined for whatever is not a hook's input. */
export function readHookInput(text: string): HookInput | undefined {
  const object = beginning(text) ?? parsed(text);
  const session = sessionOf(object?.session_id);
  if (!object || !session) return undefined;
  const field = (name: string) => (typeof object[name] === 'string' ? object[name] : '');
  return {
    event: field('hook_event_name'),
    session,
    transcript: field('transcript_path'),
    cwd: field('cwd'),
    source: field('source'),
    prompt: promptOf(object.prompt).replace(HOOK_CONTEXT, ''),
    agentId: field('agent_id'),
    agentTranscript: field('agent_transcript_path'),
  };
}

/** Kimi Code sends a prompt in parts. */
function promptOf(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt;
  if (!Array.isArray(prompt)) return '';
  return prompt
    .map((part: unknown) => (part as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function beginning(text: string): Record<string, unknown> | undefined {
  if (text.length < LONG) return undefined;
  const head = text.slice(0, LONG);
  const end = BEFORE_TOOL.exec(head)?.index;
  const object = end === undefined ? undefined : parsed(`${head.slice(0, end)}}`);
  return object?.hook_event_name === undefined ? undefined : object;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
