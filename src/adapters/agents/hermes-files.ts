import type { AgentFinder, DocumentAsk } from './agent-finder.ts';
import { listOf, objectIn, staged } from './json-value.ts';
import { asDocument, filesBelow } from './walk-files.ts';

/** `sessions/session_<id>.json`; what only its database has is not read. */
export const hermesFiles: AgentFinder = {
  find: async (ask) =>
    (await filesBelow(ask, /^sessions\/[^/]+\.json$/, 1)).flatMap(({ below: _, ...file }) =>
      asDocument(file, sessionRows, ask),
    ),
  document: {
    name: /\.json$/,
    rows: (ask) => {
      const { session_id: id, platform, messages } = objectIn(ask.text);
      const isOwn = typeof id === 'string' && typeof platform === 'string' && Array.isArray(messages);
      return isOwn ? sessionRows(ask) : undefined;
    },
  },
};

/** One row for the session, one for each message; the last one may still grow. */
function* sessionRows({ text, isEnded }: DocumentAsk): Generator<object> {
  const session = objectIn(text);
  const { messages, tools: _, system_prompt: __, last_updated: ___, message_count: ____, ...head } = session;
  if (typeof head.session_id !== 'string' || !Array.isArray(messages)) return;
  yield staged('hermes', 'session', head);
  const list = listOf(messages);
  // Nobody types what a timer starts.
  const source = head.platform === 'cron' ? { source: 'cron' } : {};
  for (const [index, message] of list.entries()) {
    if (!isEnded && index === list.length - 1 && message.role !== 'user') return;
    yield staged('hermes', 'message', { number: String(index), ...message, ...source });
  }
}
