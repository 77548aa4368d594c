import type { ProjectId } from '../../core/model/ids.ts';
import { saidText } from '../../core/model/l1.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import { isOutdated, REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { summaryName } from '../../core/rolling/memory-file.ts';
import {
  quotedSentences,
  type SaidTest,
  sessionsNamed,
  withoutUnsaid,
} from '../../core/rolling/unsaid-lines.ts';
import { redact } from '../../core/text/redact.ts';
import { originalName } from '../find/session-ref.ts';
import { linePieces } from '../layers/lines.ts';
import type { World } from '../world.ts';
import { sessionMark } from './delta.ts';
import { archiveNames, archivePlace, MEMORY_FILE } from './rolling-memory.ts';
import { readRollingState, writeState } from './state.ts';
import { writeSummaries } from './summaries.ts';

/**
 * After a new engine read the sessions: removes from memory.md and its archives what they quote although nobody said it. Runs
 * once per engine; if it is killed, it runs again with the same result.
 */
export async function rereadMemory(world: World, project: ProjectId, signal?: AbortSignal): Promise<void> {
  const { files } = world.archive;
  const sessions = Object.values((await world.archive.open(project))?.manifest.sessions ?? {});
  // One that is yet to be rebuilt would still say what nobody said; one whose copy is gone never will be.
  for (const record of sessions.filter(isOutdated))
    if ((await world.archive.originals.size(project, originalName(record.sessionId))) !== undefined) return;
  const places = [MEMORY_FILE];
  for (const name of await archiveNames(world, project))
    places.push(await archivePlace(world, project, name));
  const texts = new Map<string, string>();
  for (const place of places) texts.set(place, (await files.read(project, place))?.toString() ?? '');
  const said = await whatWasSaid(world, project, { sessions, texts: [...texts.values()], signal });
  if (signal?.aborted) return;
  await world.archive.exclusive(async () => {
    for (const place of places) {
      const text = (await files.read(project, place))?.toString();
      const left = text === undefined ? undefined : withoutUnsaid(text, said);
      if (left === undefined || left === text) continue;
      await files.write(project, place, left);
      const name = place.slice(place.lastIndexOf('/') + 1);
      if (place !== MEMORY_FILE) await files.remove(project, `memory/${summaryName(name)}`);
    }
    await writeState(world, project, { ...(await readRollingState(world, project)), engine: REFINE_ENGINE });
  });
  await writeSummaries(world, project);
}

type Sources = { sessions: SessionRecord[]; texts: string[]; signal: AbortSignal | undefined };

/** Only sessions that the files name are read, and an original only for what its L1 does not say. */
async function whatWasSaid(
  world: World,
  project: ProjectId,
  { sessions, texts, signal }: Sources,
): Promise<SaidTest> {
  const said = new Set<string>();
  const inFile = new Set<string>();
  const key = (session: string, who: string, text: string) => `${session}\0${who}\0${text}`;
  for (const mark of new Set(texts.flatMap(sessionsNamed))) {
    if (signal?.aborted) break;
    const own = sessions.filter(({ sessionId }) => sessionMark(sessionId) === mark);
    const sentences = texts.flatMap((text) => quotedSentences(text, mark));
    const open = new Map(
      sentences.map(({ who, text }) => [key(mark, who, text), { who, words: folded(text) }]),
    );
    for (const record of own) {
      await eachSaid(world, project, record, (who, words) => {
        for (const [id, sentence] of open) {
          if (sentence.who !== who || !words.includes(sentence.words)) continue;
          said.add(id);
          open.delete(id);
        }
      });
    }
    for (const record of open.size === 0 ? [] : own) {
      await eachText(world, project, record, (words) => {
        for (const [id, sentence] of open) {
          if (!words.includes(sentence.words)) continue;
          inFile.add(id);
          open.delete(id);
        }
        return open.size > 0;
      });
    }
  }
  return {
    isSaid: (session, who, text) => said.has(key(session, who, text)),
    isInFile: (session, text) =>
      inFile.has(key(session, 'user', text)) || inFile.has(key(session, 'assistant', text)),
  };
}

async function eachSaid(
  world: World,
  project: ProjectId,
  { l1 }: SessionRecord,
  visit: (who: string, words: string) => void,
): Promise<void> {
  for await (const { lines } of linePieces(world, project, l1, 0))
    for (const line of lines)
      if (line.role === 'user' || line.role === 'assistant') visit(line.role, folded(saidText(line)));
}

/** Every text of the original, redacted as what was made of it was. */
async function eachText(
  world: World,
  project: ProjectId,
  { sessionId }: SessionRecord,
  visit: (words: string) => boolean,
): Promise<void> {
  const path = world.archive.originals.path(project, originalName(sessionId));
  await world.transcripts.readLines(path, 0, (line) => {
    const texts = stringsIn(parseOutside(line.toString('utf8')));
    return visit(texts.map((text) => folded(redact(text).text)).join('\n')) ? true : 'stop';
  });
}

function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 12) return [];
  return Object.values(value).flatMap((item) => stringsIn(item, depth + 1));
}

/** Letters and digits alone: sentences lose marks and line ends on their way into memory.md. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
