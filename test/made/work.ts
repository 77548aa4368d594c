/** One thing that happens in a session of work, in the order in which it does. */
export type Step =
  | { you: string }
  | { agent: string }
  | { run: string; fails?: string; prints?: string }
  | { edit: string; from?: string; to?: string }
  /** A tool of any name, with what it gave. */
  | { tool: string; input?: Record<string, unknown>; gives: string }
  /** A line as it is, with the fields that every line has added. */
  | { line: Record<string, unknown> };

/** A session as Claude Code writes it, with tools and their results. Starts at the given second of a day. */
export function workSession(sessionId: string, steps: Step[], day = '2026-01-05', cwd = '/srv/shop'): string {
  const lines: string[] = [];
  let parentUuid: string | null = null;
  let number = 0;
  const put = (type: string, rest: Record<string, unknown>) => {
    const uuid = `${sessionId}-${String(++number).padStart(4, '0')}`;
    const minute = String(Math.floor(number / 60) % 60).padStart(2, '0');
    const timestamp = `${day}T10:${minute}:${String(number % 60).padStart(2, '0')}.000Z`;
    const head = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version: '2.1.5',
      gitBranch: 'main',
    };
    lines.push(JSON.stringify({ ...head, type, ...rest, uuid, timestamp }));
    parentUuid = uuid;
  };
  const says = (content: unknown[]) =>
    put('assistant', {
      message: { id: `msg_${sessionId}_${number}`, role: 'assistant', model: 'claude-test-1', content },
    });
  const call = (name: string, input: Record<string, unknown>, gives: string, failed: boolean) => {
    const id = `tool_${sessionId}_${number}`;
    says([{ type: 'tool_use', id, name, input }]);
    const result = {
      type: 'tool_result',
      tool_use_id: id,
      content: gives,
      ...(failed ? { is_error: true } : {}),
    };
    put('user', { message: { role: 'user', content: [result] } });
  };
  for (const step of steps) {
    if ('you' in step) put('user', { message: { role: 'user', content: step.you } });
    else if ('agent' in step) says([{ type: 'text', text: step.agent }]);
    else if ('run' in step) {
      const failed = step.fails !== undefined;
      call(
        'Bash',
        { command: step.run },
        failed ? `Exit code 1\n${step.fails}` : (step.prints ?? 'ok'),
        failed,
      );
    } else if ('edit' in step) {
      const input = {
        file_path: `${cwd}/${step.edit}`,
        old_string: step.from ?? 'before',
        new_string: step.to ?? 'after',
      };
      call('Edit', input, 'The file has been updated.', false);
    } else if ('tool' in step) call(step.tool, step.input ?? {}, step.gives, false);
    else put(String(step.line.type ?? 'user'), step.line);
  }
  return `${lines.join('\n')}\n`;
}
