import type { JsonObject } from '../parse-line.ts';
import { isObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

const TOOLS =
  'execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|search_files|list_files|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|new_task|switch_mode|update_todo_list|fetch_instructions|codebase_search|web_fetch';
const CALL = new RegExp(`<(${TOOLS})>\\s*([\\s\\S]*?)\\s*</\\1>`, 'g');
const PARAMETER = /<(\w+)>([\s\S]*?)<\/\1>/g;
/** What these calls carry is said to the user. */
const SAYS: Record<string, string> = {
  attempt_completion: 'result',
  attempt_result: 'result',
  ask_followup_question: 'question',
  plan_mode_respond: 'response',
};
const SAID = new RegExp(
  `<(?:${Object.keys(SAYS).join('|')})>\\s*<(?:${Object.values(SAYS).join('|')})>([\\s\\S]*?)</(?:${Object.values(SAYS).join('|')})>[\\s\\S]*?</(?:${Object.keys(SAYS).join('|')})>`,
  'g',
);

/** Calls that are written out in a text, and the text without them. */
export function xmlCalls(text: string): { text: string; calls: { name: string; input: JsonObject }[] } {
  const calls: { name: string; input: JsonObject }[] = [];
  const said = text.replace(/<thinking>[\s\S]*?<\/thinking>/g, '').replace(SAID, '$1');
  const rest = said.replace(CALL, (_, name: string, body: string) => {
    const input: JsonObject = Object.create(null);
    for (const [, key = '', value = ''] of body.matchAll(PARAMETER)) input[key] = value.trim();
    calls.push({ name, input: { ...input } });
    return '';
  });
  return { text: (calls.length > 0 || said !== text ? rest : text).trim(), calls };
}

/** A call that only says something, as its text. */
export function spokenCall(block: JsonObject): JsonObject[] {
  const field = block.type === 'tool_use' ? SAYS[stringOf(block.name)] : undefined;
  const said = field && isObject(block.input) ? stringOf(block.input[field]) : '';
  return said ? [{ type: 'text', text: said }] : [block];
}
