/** What the client puts into the conversation as if the user had said it. */
const ADDED =
  /^\s*<(?:environment_context|user_instructions|permissions|permissions instructions|turn_aborted|user_shell_command|subagent_notification|skill|collaboration_mode|INSTRUCTIONS)\b/i;
const RULES = /^\s*# AGENTS\.md instructions for /;
const SUMMARY = /^\s*Another language model started to solve this problem/;

export function isAdded(text: string): boolean {
  return ADDED.test(text) || RULES.test(text) || SUMMARY.test(text);
}

/** The first versions name the working directory nowhere else. */
export function cwdIn(text: string): string | undefined {
  const tagged = /<cwd>([^<]+)<\/cwd>/.exec(text)?.[1];
  return (tagged ?? /^\s*Current working directory: (.+)$/m.exec(text)?.[1])?.trim();
}
