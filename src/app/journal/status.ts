import { readMasterMark } from '../../core/journal/master-mark.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { fields, figure, record, text } from '../../core/model/shape.ts';
import { millisOf } from '../../core/text/utc.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { freshAmong } from './ingredients.ts';
import { hashOfPage } from './page-hash.ts';
import { inspectJournal, JOURNAL, type Journal, masterName } from './place.ts';
import { isText, LARGEST_FILE } from './save.ts';

/** The state of a journal; reads only what has changed since the last time. */
export type JournalStatus = {
  state: Journal['state'];
  summaries: number;
  /** Summaries that the master does not know as they are now. */
  newer: number;
  /** When the master was made; undefined if there is none. */
  synthesized?: string;
  days?: number;
};

type Seen = Record<string, { bytes: number; mtimeMs: number; hash: string }>;

const SEEN: StoredKind<Seen> = {
  schema: record(fields({ bytes: figure, mtimeMs: figure, hash: text })),
  damaged: 'Keepsake reads every summary again.',
};

const DAY_MS = 86_400_000;
const PAGES = `${JOURNAL}/conversations/`;

export async function journalStatus(world: World, journal: Journal): Promise<JournalStatus> {
  const { root, state, files } = journal;
  const pages = files.filter(({ name }) => name.startsWith(PAGES) && name.endsWith('.md'));
  const bytes = await world.projectFiles.read(root, masterName(), LARGEST_FILE);
  const mark = bytes && isText(bytes) ? readMasterMark(bytes.toString('utf8')) : undefined;
  const base = { state, summaries: pages.length };
  if (!mark) return { ...base, newer: pages.length };
  const seen = await readSeen(world, journal);
  const now: Seen = {};
  for (const { name, bytes, mtimeMs } of pages) {
    const known = Object.hasOwn(seen, name) ? seen[name] : undefined;
    const same = known?.bytes === bytes && known.mtimeMs === mtimeMs;
    const read = same ? undefined : await world.projectFiles.read(root, name, LARGEST_FILE);
    const hash = same ? known.hash : read === undefined || !isText(read) ? '' : hashOfPage(read);
    now[name] = { bytes, mtimeMs, hash };
  }
  if (journal.known && JSON.stringify(now) !== JSON.stringify(seen))
    await world.archive.files.write(undefined, seenFile(journal.project), JSON.stringify(now));
  const readable = Object.entries(now).filter(([, { hash }]) => hash !== '');
  const ingredients = readable.map(([name, { hash }]) => ({ name, hash }));
  const newer = (await freshAmong(world, journal, mark, ingredients)).length;
  const made = millisOf(mark.at);
  const days =
    made === undefined ? {} : { days: Math.max(0, Math.floor((world.clock.millis() - made) / DAY_MS)) };
  return { ...base, newer, synthesized: mark.at, ...days };
}

/** The status in a sentence for an agent or a person; empty if nothing is to be said. */
export function statusSentence(status: JournalStatus, warnAfterDays: number): string {
  const { state, summaries, newer, synthesized, days = 0 } = status;
  if (state === 'none' || summaries === 0) return '';
  const count = (n: number) => `${n} ${n === 1 ? 'summary' : 'summaries'}`;
  if (state === 'foreign')
    return `${JOURNAL}/ contains ${count(summaries)} that came with the project and are not approved yet.`;
  if (synthesized === undefined) return `${count(summaries)} in ${JOURNAL}/, no master yet.`;
  const age = days === 0 ? 'today' : days === 1 ? 'a day ago' : `${days} days ago`;
  const old = warnAfterDays > 0 && newer > 0 && days >= warnAfterDays ? ' It is old.' : '';
  const fresh = newer === 0 ? 'all summaries are in it' : `${count(newer)} newer than it`;
  return `${masterName()} was made ${age}; ${fresh}.${old}`;
}

/** For a project by its id: where its folder is on this machine. */
export async function projectJournal(world: World, project: ProjectId): Promise<Journal | undefined> {
  const root = (await world.archive.head(project))?.originalPath;
  return root ? inspectJournal(world, { project, root, known: true }) : undefined;
}

async function readSeen(world: World, { project, known }: Journal): Promise<Seen> {
  return (known && (await readStored(world, undefined, seenFile(project), SEEN)).value) || {};
}

function seenFile(project: ProjectId): string {
  return `journal/${project}.json`;
}
