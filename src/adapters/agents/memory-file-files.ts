import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, DocumentAsk } from './agent-finder.ts';
import { staged } from './json-value.ts';
import { asDocument, filesBelow } from './walk-files.ts';

/** `projects/<project>/memory/*.md` of Claude Code and Qwen Code, `memories/*.md` of Codex, `GEMINI.md` and `QWEN.md`. */
const PLACE =
  /^(?:projects\/([^/]+)\/memory\/(?:.+\/)?[^/]+\.md|memories\/(?:.+\/)?[^/]+\.md|(GEMINI|QWEN)\.md)$/;
/** What an agent added to a file that is otherwise its user's. */
const ADDED = /^## (?:Gemini|Qwen) Added Memories[ \t]*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;
const FRONT = /^---\n[\s\S]*?\n---\n/;

export const memoryFileFiles: AgentFinder = {
  find: async (ask) => {
    const found: FoundTranscript[] = [];
    const agent = basename(ask.folder).replace(/^\./, '');
    for (const { below, ...file } of await filesBelow(ask, PLACE, 6)) {
      const [, project, shared] = PLACE.exec(below) ?? [];
      // What belongs to no project belongs to the folder that the agent keeps its own in.
      const home = project === undefined ? { name: agent, cwd: dirname(ask.folder) } : { name: project };
      const id = `note_${createHash('sha256').update(`${agent}/${below}`).digest('hex').slice(0, 12)}`;
      const title = `${agent}: ${project === undefined ? below : below.slice(below.indexOf('/memory/') + 1)}`;
      const of = { id, title, file: `${agent}/${basename(below)}`, isShared: shared !== undefined };
      const rows = (document: DocumentAsk) =>
        fileRows(document, { ...of, ts: new Date(file.mtimeMs).toISOString() });
      found.push(...asDocument({ ...file, home, known: { session: id } }, rows, ask));
    }
    return found;
  },
};

type MemoryFileAsk = { id: string; title: string; file: string; isShared: boolean; ts: string };

/** A row for the file and one for each of its sections; the same section again is the same row. */
function* fileRows(
  { text }: DocumentAsk,
  { id, title, file, isShared, ts }: MemoryFileAsk,
): Generator<object> {
  const plain = text.replaceAll('\r', '');
  const own = isShared ? (ADDED.exec(plain)?.[1] ?? '') : plain.replace(FRONT, '');
  const sections = own.split(/\n(?=#{1,6} )/).filter((it) => it.trim() !== '');
  if (sections.length === 0) return;
  yield staged('memory-files', 'session', { id, title });
  for (const section of sections) yield staged('memory-files', 'section', { file, ts, text: section.trim() });
}
