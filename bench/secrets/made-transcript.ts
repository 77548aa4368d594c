import type { Planted } from './planted.ts';

/** The speaker: text of the first two reaches memory unchanged, a command as one line, its errors cut, other output not at all. */
const CARRIERS = ['user', 'assistant', 'command', 'error', 'output'] as const;

/** A Claude Code session that contains each of these texts once. */
export function secretTranscript(cwd: string, sessionId: string, planted: readonly Planted[]): string {
  const lines: string[] = [];
  let parentUuid: string | null = null;
  const add = (type: 'user' | 'assistant', content: unknown, more: object = {}) => {
    const n = lines.length;
    const uuid = `${sessionId.slice(0, 8)}-0000-4000-9000-${String(n).padStart(12, '0')}`;
    const message =
      type === 'user'
        ? { role: type, content }
        : { id: `msg_${n}`, role: type, model: 'claude-made-1', content };
    const at = new Date(Date.UTC(2026, 0, 5) + n * 7000).toISOString();
    const place = { cwd, sessionId, version: '2.1.0', gitBranch: 'main', isSidechain: false };
    lines.push(JSON.stringify({ parentUuid, ...place, type, message, uuid, timestamp: at, ...more }));
    parentUuid = uuid;
  };
  planted.forEach(({ text }, n) => {
    const carrier = CARRIERS[n % CARRIERS.length]!;
    const id = `toolu_${sessionId.slice(0, 8)}${n}`;
    const bash = (command: string) =>
      add('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command } }]);
    const answer = (content: string, failed: boolean) =>
      add('user', [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }], {
        toolUseResult: failed ? `Error: ${content}` : { stdout: content, stderr: '' },
      });
    if (carrier === 'user') add('user', `Step ${n}. ${text}`);
    else add('user', `Go on with step ${n} of the release.`);
    if (carrier === 'command') {
      bash(text);
      answer('done', false);
    } else if (carrier === 'error' || carrier === 'output') {
      bash('./release.sh');
      answer(carrier === 'error' ? `Exit code 1\n${text}` : text, carrier === 'error');
    }
    add('assistant', [
      { type: 'text', text: carrier === 'assistant' ? `It says: ${text}` : `Step ${n} is done.` },
    ]);
  });
  return `${lines.join('\n')}\n`;
}
