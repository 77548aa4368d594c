import { at, type Happening } from '../happening.ts';

/** As Antigravity writes it. */
export function antigravity(list: Happening[]): object[] {
  const lines: object[] = [];
  const put = (index: number, source: string, type: string, more: object) =>
    lines.push({ step_index: lines.length, source, type, status: 'DONE', created_at: at(index), ...more });
  put(0, 'SYSTEM', 'CONVERSATION_HISTORY', {});
  list.forEach((one, index) => {
    if (one.kind === 'ask')
      put(index, 'USER_EXPLICIT', 'USER_INPUT', { content: `<USER_REQUEST>\n${one.text}\n</USER_REQUEST>` });
    else if (one.kind === 'answer') put(index, 'MODEL', 'PLANNER_RESPONSE', { content: one.text });
    else {
      const args = { CommandLine: JSON.stringify(one.command), Cwd: '"/srv/shop"' };
      put(index, 'MODEL', 'PLANNER_RESPONSE', { tool_calls: [{ name: 'run_command', args }] });
      const head = one.fails ? 'The command failed with exit code: 1' : 'The command completed successfully.';
      put(index, 'MODEL', 'RUN_COMMAND', { content: `${head}\nOutput:\n${one.output}` });
    }
  });
  return lines;
}
