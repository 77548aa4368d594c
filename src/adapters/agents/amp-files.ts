import type { AgentFinder, DocumentAsk } from './agent-finder.ts';
import { holdsFolder, listOf, objectIn, otherWords, staged } from './json-value.ts';
import { asDocument, filesBelow } from './walk-files.ts';

/** `threads/T-<id>.json`. */
export const ampFiles: AgentFinder = {
  find: async (ask) =>
    (await filesBelow(ask, /^threads\/T-[^/]+\.json$/, 1)).flatMap(({ below: _, ...file }) =>
      asDocument(file, threadRows, ask),
    ),
  document: {
    name: /\.json$/,
    rows: (ask) => (/^T-/.test(String(objectIn(ask.text).id)) ? threadRows(ask) : undefined),
  },
};

/** Words of a thread that are no title. */
const WORDS = 'id draft';

/** One row for the thread, one for each message, the title last: what may still change waits. */
function* threadRows({ text, isEnded }: DocumentAsk): Generator<object> {
  const { messages, title, ...thread } = objectIn(text);
  if (typeof thread.id !== 'string' || !Array.isArray(messages)) return;
  const { id, created, env, agentMode, ...rest } = thread;
  const others = env === undefined ? Object.entries(rest).filter(([, it]) => holdsFolder(it)) : [];
  yield staged('amp', 'session', { id, created, env, agentMode, ...Object.fromEntries(others) });
  const list = listOf(messages);
  for (const [index, message] of list.entries()) {
    if (!isEnded && index === list.length - 1 && message.role !== 'user') return;
    yield staged('amp', 'message', message);
  }
  const named = typeof title === 'string' ? { title } : otherWords(thread, WORDS);
  if (isEnded && Object.keys(named).length > 0) yield staged('amp', 'title', named);
}
