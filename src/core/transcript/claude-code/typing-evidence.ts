import type { TypingEvidence } from '../../model/entry.ts';
import { noticeLikeness } from '../notice-likeness.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';
import { beginsWithTag } from '../text-shape.ts';

/** Clients note with what was typed how much to think, later the mode of permissions, later ones its source, then its origin. */
const THINKING_SINCE = [1, 0, 117];
const MARKS_SINCE = [2, 1, 15];
const SOURCE_SINCE = [2, 1, 161];
const QUEUE_SINCE = [2, 1, 258];

/**
 * What a `user` line shows of how its words came in. Undefined where its client marks nothing and the line is as it writes a
 * prompt, and where no mark is needed: commands and notes in the client's own wrapping, words beside the result of a tool.
 */
export function typingEvidence(object: JsonObject, text: string): TypingEvidence | undefined {
  const isHuman = isObject(object.origin) && stringOf(object.origin.kind) === 'human';
  if (isHuman || stringOf(object.promptSource) !== '') return 'marked';
  // A plan that was accepted: the client sends it, and notes it beside.
  if (stringOf(object.planContent) !== '') return undefined;
  const version = versionOf(object.version);
  // A line with the id of its prompt is as this client wrote it: only the mark is missing.
  if (isSince(version, SOURCE_SINCE) && stringOf(object.promptId) !== '') return 'unmarked';
  if (stringOf(object.permissionMode) !== '') return 'marked';
  if (isObject(object.thinkingMetadata)) return 'marked';
  if (beginsWithTag(text) || stringOf(object.agentName) !== '') return 'unmarked';
  // What begins with a slash is tried as a command first, and then has no mark.
  if (isSince(version, MARKS_SINCE)) return text.trimStart().startsWith('/') ? 'weak' : 'bare';
  const notice = noticeLikeness(text);
  if (notice === 'sure') return 'unmarked';
  if (isSince(version, THINKING_SINCE)) return notice ? 'weak' : isPlain(object) ? 'early' : 'blocks';
  return notice || !isOldPrompt(object) ? 'weak' : undefined;
}

/** As the terminal writes what was typed; an editor writes blocks, and so do programs that send a prompt. */
function isPlain({ message }: JsonObject): boolean {
  return isObject(message) && typeof message.content === 'string';
}

/** All that clients without marks write beside a prompt: a line with anything else is none that was typed. */
const OLD_FIELDS = new Set(
  'type message version gitBranch parentUuid logicalParentUuid isSidechain userType cwd sessionId uuid timestamp slug todos imagePasteIds entrypoint'.split(
    ' ',
  ),
);

function isOldPrompt(object: JsonObject): boolean {
  return Object.entries(object).every(
    ([key, value]) => OLD_FIELDS.has(key) || value === null || value === false,
  );
}

/** The same for a queued text that was sent to the agent during its work. */
export function queuedEvidence({ origin, version }: JsonObject): TypingEvidence | undefined {
  if (isObject(origin) && stringOf(origin.kind) === 'human') return 'marked';
  return repeatsQueued(stringOf(version)) ? 'bare' : undefined;
}

/** Whether a client of this version writes a queued text again, with its origin, once it gives it to the agent. */
export function repeatsQueued(version: string | undefined): boolean {
  return isSince(versionOf(version), QUEUE_SINCE);
}

function versionOf(version: unknown): number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(stringOf(version));
  return parts ? parts.slice(1).map(Number) : [];
}

function isSince(version: number[], since: number[]): boolean {
  if (version.length === 0) return false;
  const at = since.findIndex((part, index) => version[index] !== part);
  return at === -1 || version[at]! > since[at]!;
}
