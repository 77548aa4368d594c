import { dirname, join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, DocumentAsk, FindAsk } from './agent-finder.ts';
import { isJson, type Json, jsonIn, listOf, objectIn, staged } from './json-value.ts';
import { asDocument, filesBelow, textOf } from './walk-files.ts';

/** The command's own folder. */
const OF_COMMAND = /^data\/sessions\/([^/]+)\/\1\.messages\.json$/;
const FOLDER = /^(?:\d+\. )?Working Directory: (\S.*?)\s*$/m;
const TASK = 'tasks/[^/]+/api_conversation_history\\.json$';

/** The command keeps `sessions/<id>/<id>.messages.json`, the extension `tasks/<id>/api_conversation_history.json`. */
export const clineFiles: AgentFinder = {
  find: async (ask) => [
    ...(await filesBelow(ask, OF_COMMAND, 3)).flatMap(({ below: _, ...file }) =>
      asDocument(file, commandRows, ask),
    ),
    ...(await findTasks(ask, 'saoudrizwan.claude-dev', 'cline')),
  ],
  document: {
    name: /\.json$/,
    rows: (ask) => commandRows(ask) ?? (isTasks(ask.path) ? taskRows('cline')(ask) : undefined),
  },
};

/** Roo Code was made from Cline's extension and keeps its tasks in the same way. */
export const rooFiles: AgentFinder = {
  find: (ask) => findTasks(ask, 'rooveterinaryinc.roo-cline', 'roo'),
};

async function findTasks(ask: FindAsk, extension: string, agent: string): Promise<FoundTranscript[]> {
  const place = new RegExp(
    `^(?:data/)?${TASK}|^[^/]+/User/globalStorage/${extension.replace('.', '\\.')}/${TASK}`,
  );
  const found: FoundTranscript[] = [];
  for (const { below: _, ...file } of await filesBelow(ask, place, 6)) {
    const folder = dirname(file.path);
    const uiMessages = jsonIn(await textOf(join(folder, 'ui_messages.json')));
    const rows = (document: DocumentAsk) => taskRows(agent)(document, listOf(uiMessages));
    found.push(...asDocument(file, rows, ask));
  }
  return found;
}

function isTasks(path: string): boolean {
  return /[\\/]tasks[\\/][^\\/]+[\\/]api_conversation_history\.json$/.test(path);
}

/** One row for the session, one for each message; the last one may still grow. Only the system prompt names the folder. */
function* commandRows({ text, isEnded }: DocumentAsk): Generator<object> {
  const { messages, system_prompt: prompt, updated_at: _, ...session } = objectIn(text);
  if (typeof session.sessionId !== 'string' || !Array.isArray(messages)) return;
  const cwd = typeof prompt === 'string' ? FOLDER.exec(prompt)?.[1] : undefined;
  yield staged('cline', 'session', cwd === undefined ? session : { ...session, cwd });
  yield* messageRows('cline', listOf(messages), isEnded);
}

function* messageRows(agent: string, messages: Json[], isEnded: boolean): Generator<object> {
  for (const [index, message] of messages.entries()) {
    if (!isEnded && index === messages.length - 1 && message.role !== 'user') return;
    yield staged(agent, 'message', message);
  }
}

/** The extension's task: its folder name is its id; a file next to it has the times of its messages. */
function taskRows(agent: string) {
  return function* ({ text, path, isEnded }: DocumentAsk, events: Json[] = []): Generator<object> {
    const messages = jsonIn(text);
    if (!Array.isArray(messages) || !messages.every((it) => isJson(it) && typeof it.role === 'string'))
      return;
    const id = dirname(path).split(/[\\/]/).at(-1) ?? '';
    const started = Number(events[0]?.ts ?? (/^\d{13}$/.test(id) ? id : Number.NaN));
    yield staged(agent, 'session', { id, ...(Number.isFinite(started) ? { started } : {}) });
    const times = events
      .filter(({ say }) => say === 'user_feedback' || say === 'api_req_started')
      .map(({ ts }) => ts);
    let at: unknown = started;
    let asked = 0;
    for (const row of messageRows(agent, listOf(messages), isEnded) as Iterable<{ row: Json }>) {
      if (row.row.role === 'user') at = times[asked++] ?? at;
      yield { ...row, row: { ...row.row, ts: row.row.ts ?? at } };
    }
  };
}
