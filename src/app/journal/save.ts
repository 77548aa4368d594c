import { bodyHash } from '../../core/journal/body-hash.ts';
import { changedParts, type DiffLine, lineDiff } from '../../core/journal/line-diff.ts';
import { readMasterMark } from '../../core/journal/master-mark.ts';
import { mergeText } from '../../core/journal/merge-text.ts';
import { readPageMark } from '../../core/journal/page-text.ts';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, type SessionId, shortHash } from '../../core/model/ids.ts';
import { isTooOld, type PurgedThen, purgedMeanwhile } from '../session/purged-since.ts';
import type { World } from '../world.ts';
import { noteForSearch } from './documents.ts';
import { claimJournal, type Journal } from './place.ts';

/** Bytes of a file of the journal that are read: what is larger was not written by us, and is left alone. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/** What a file of the journal would become. */
export type JournalPlan = {
  /** Relative to the project. */
  name: string;
  /** As it was made, before a user's own words went in. */
  made: string;
  /** What will be there. */
  text: string;
  before: string | undefined;
  /** What was purged before anything was read for it. */
  purged: PurgedThen;
  /** Blocks of the user that stay as they are. */
  own: number;
  /** It is there already. */
  same: boolean;
  diff: DiffLine[];
};

/** A new text over what is there: own words of the user stay. Changes nothing. */
export async function planFile(
  world: World,
  journal: Journal,
  { name, made, purged }: Pick<JournalPlan, 'name' | 'made' | 'purged'>,
): Promise<JournalPlan> {
  const before = await readJournal(world, journal, name);
  const base = before === undefined ? undefined : await baseOf(world, journal, name, before);
  const merged = before === undefined ? { text: made, own: 0 } : mergeText(base, before, made);
  const same = before !== undefined && contentOf(before) === contentOf(merged.text);
  const diff = same ? [] : changedParts(lineDiff(withoutMark(before ?? ''), withoutMark(merged.text)));
  return { name, made, purged, before, same, diff, ...merged };
}

/** Writes it. What was there and was not ours is kept in the archive besides. */
export async function saveJournalFile(
  world: World,
  journal: Journal,
  plan: JournalPlan,
  options: { approve?: boolean; note: string; sessionId?: SessionId },
): Promise<void> {
  await claimJournal(world, journal, options.approve);
  const { project, root } = journal;
  // No purge begins between the look and the last file: one that begins after it finds them all.
  await world.archive.exclusive(async () => {
    const now = await readJournal(world, journal, plan.name);
    if (now !== plan.before)
      throw new Fault(
        'conflict',
        `${plan.name} was changed by another program at the same time; nothing was written.`,
        {
          hint: 'Run the command again.',
        },
      );
    if (await isTooOld(world, plan.purged, { markdown: plan.text })) throw purgedMeanwhile();
    if (plan.before !== undefined) await keepAside(world, project, plan.name, plan.before);
    // The base first: after a kill between the two, the old file is still known for ours by its own mark.
    await world.archive.files.write(project, baseFile(plan.name), plan.made);
    await world.projectFiles.write(root, plan.name, plan.text);
    await noteForSearch(world, project, plan.name, plan.text);
  });
  const event = {
    at: world.clock.now(),
    action: 'journal' as const,
    note: options.note,
    ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }),
  };
  await world.archive.change(project, [], [event]);
}

/** The text of a file of the journal; undefined if there is none. Fault `conflict` for what is no text. */
export async function readJournal(
  world: World,
  { root }: Pick<Journal, 'root'>,
  name: string,
): Promise<string | undefined> {
  const bytes = await world.projectFiles.read(root, name, LARGEST_FILE + 1);
  if (bytes === undefined) return undefined;
  if (bytes.length <= LARGEST_FILE && isText(bytes)) return bytes.toString('utf8');
  throw new Fault('conflict', `${root}/${name} is not text.`, {
    hint: 'Move the file away, then run the command again.',
  });
}

export function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  const broken = bytes.toString('utf8').match(/\ufffd/g)?.length ?? 0;
  return broken * 100 <= bytes.length;
}

/** What was last written there: the file itself when its mark says that nobody edited it, else the copy in the archive. */
async function baseOf(
  world: World,
  { project }: Journal,
  name: string,
  before: string,
): Promise<string | undefined> {
  const mark = readPageMark(before)?.text ?? readMasterMark(before)?.text;
  if (mark !== undefined && mark === bodyHash(before)) return before;
  return (await world.archive.files.read(project, baseFile(name)))?.toString('utf8');
}

/** As it was generated last, without a user's words; undefined where nobody knows. */
export async function lastMade(world: World, journal: Journal, name: string): Promise<string | undefined> {
  const before = await readJournal(world, journal, name);
  return before === undefined ? undefined : await baseOf(world, journal, name, before);
}

async function keepAside(world: World, project: ProjectId, name: string, text: string): Promise<void> {
  const base = (await world.archive.files.read(project, baseFile(name)))?.toString('utf8');
  if (text === base) return;
  const stem = name.split('/').at(-1)!.replace(/\.md$/, '');
  await world.archive.files.write(project, `journal/kept/${stem}-${shortHash(text, 12)}.md`, text);
}

function baseFile(name: string): string {
  return `journal/base/${name.replace(/^_memory\//, '')}`;
}

/** Everything of a session that a purge has to delete. */
export async function forgetPages(world: World, project: ProjectId, session: string): Promise<void> {
  const { files } = world.archive;
  for (const folder of ['journal/base', 'journal/kept', 'journal/text'])
    for (const name of await files.list(project, folder))
      if (name.split('/').at(-1)!.startsWith(session)) await files.remove(project, `${folder}/${name}`);
}

/** The day of making is no change. */
/** What programs read in it says nothing to people. */
function withoutMark(text: string): string {
  return text.replace(/^<!-- keepsake:\w+ .*-->$/gm, '');
}

function contentOf(text: string): string {
  return withoutMark(text.replace(/\r\n/g, '\n'))
    .replace(/^\*Last synthesized: .*\*$/m, '')
    .trim();
}
