import { machineShape } from '../text-shape.ts';

/** What the client puts into the conversation as if the user had said it. */
const ADDED =
  /^\s*<(?:environment_context|user_instructions|permissions|permissions instructions|turn_aborted|user_shell_command|subagent_notification|skill|collaboration_mode|INSTRUCTIONS|image|user_action|hook_prompt)\b/i;
const RULES = /^\s*# AGENTS\.md instructions for /;
const SUMMARY = /^\s*Another language model started to solve this problem/;
/** An editor's state precedes the typed text. */
const FROM_EDITOR =
  /^\s*# (?:Files mentioned by the user|Context from my IDE setup|Context from the IDE|Selected text|Review findings):?/;
const REQUEST = /^## My request for Codex:[ \t]*\n?/m;
const PICTURE = /<image name=[^>]*>\s*<\/image>\s*/g;
/** How no sentence begins: an item that does and is no event was put there by the client. */
const NO_SENTENCE = /^\s*[#<{[]/;
/** A longer item counts as typed only if an event confirms it. */
const LONGEST_ALONE = 4000;

/** The person's own words in what was sent as theirs; undefined when there are none. */
export function userText(text: string): string | undefined {
  const own = text.replace(PICTURE, '');
  if (ADDED.test(own) || RULES.test(own) || SUMMARY.test(own)) return undefined;
  if (!FROM_EDITOR.test(own)) return machineShape(own) ? undefined : own;
  const request = REQUEST.exec(own);
  return request ? own.slice(request.index + request[0].length).trim() || undefined : undefined;
}

/** Whether the text of an item may be a person's although no event confirms it. */
export function mayBeTyped(text: string): boolean {
  return !NO_SENTENCE.test(text) && text.length <= LONGEST_ALONE;
}

/** The first versions name the working directory nowhere else. */
export function cwdIn(text: string): string | undefined {
  const tagged = /<cwd>([^<]+)<\/cwd>/.exec(text)?.[1];
  return (tagged ?? /^\s*Current working directory: (.+)$/m.exec(text)?.[1])?.trim();
}
