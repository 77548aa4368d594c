// Labeled questions, their projects, and the check whether a text answers a question.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listProjects } from '../src/app/find/projects.ts';
import { allSessions } from '../src/app/find/sessions.ts';
import { importChats } from '../src/app/import/import-chats.ts';
import { sync } from '../src/app/sync/sync.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { type GoldRow, low, readGold, wordsOf } from './statements-gold.ts';

type Place = { folder: string; project: string; cwd: string };
export type AskedQuestion = Place & { question: string; quote: string; session: string };
export type AnswersData = {
  world: TestWorld;
  questions: AskedQuestion[];
  /** The working folder of each folder of sessions. */
  cwds: Map<string, string>;
  /** Deletes the archive, unless it is kept for the next run. */
  close(): Promise<void>;
};

/** Archives the sessions, unless the archive has them already. */
export async function labeledQuestions(
  gold: string,
  folders: string[],
  archive?: string,
): Promise<AnswersData> {
  const isThere = archive !== undefined && existsSync(join(archive, 'archive'));
  const world = makeWorld(archive);
  for (const folder of isThere ? [] : folders) {
    if (basename(folder) === 'chat_jsonl')
      await importChats(world, folder, { project: basename(dirname(folder)) });
    else await sync(world, { from: [folder] });
  }
  const places = await placesOf(world, folders);
  const cwds = new Map<string, string>();
  for (const id of [...places.keys()].sort()) {
    const place = places.get(id)!;
    if (!cwds.has(place.folder)) cwds.set(place.folder, place.cwd);
  }
  const questions = readGold(gold)
    .filter(isQuestionRow)
    .flatMap((row): AskedQuestion[] => {
      const place = places.get(row.session);
      return place ? [{ ...place, question: row.question, quote: row.quote, session: row.session }] : [];
    });
  const close = async () => {
    if (archive === undefined) await world.remove();
    else await Promise.all([world.index.close(), world.archive.close()]);
  };
  return { world, questions, cwds, close };
}

type QuestionRow = GoldRow & { question: string; quote: string };
function isQuestionRow(row: GoldRow): row is QuestionRow {
  return row.kind === 'question';
}

/** By session id and by file name. */
async function placesOf(world: TestWorld, folders: string[]): Promise<Map<string, Place>> {
  const folderOf = new Map(
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [stem(name), folder] as const),
    ),
  );
  // A session belongs to the project of its folder: a worktree has its own path.
  const paths = new Map(
    (await listProjects(world)).flatMap(({ projectId, originalPath, folders: all }) => [
      ...all.map((it) => [it.projectId, it.originalPath] as const),
      [projectId, originalPath] as const,
    ]),
  );
  const places = new Map<string, Place>();
  for (const { sessionId, originalFile, projectId } of await allSessions(world)) {
    const folder = folderOf.get(stem(originalFile ?? ''));
    if (folder === undefined) continue;
    const place = { folder, project: projectId, cwd: paths.get(projectId) || '/' };
    places.set(sessionId, place);
    if (!places.has(stem(originalFile ?? ''))) places.set(stem(originalFile ?? ''), place);
  }
  return places;
}

function stem(path: string): string {
  return basename(path).replace(/\.[^.]+$/, '');
}

const SIZE = 600;
const STEP = 150;
const SHARE = 0.6;

/** True if 600 characters in a row contain 60% of the content words of the quote that answers. */
export function answers(text: string, quote: string): boolean {
  const needed = wordsOf(quote);
  if (needed.size === 0) return false;
  const plain = low(text);
  const last = plain.length <= SIZE ? 1 : plain.length - SIZE + STEP;
  for (let at = 0; at < last; at += STEP) {
    const found = wordsOf(plain.slice(at, at + SIZE));
    if ([...needed].filter((word) => found.has(word)).length >= SHARE * needed.size) return true;
  }
  return false;
}
