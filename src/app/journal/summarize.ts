import { draftPage, type Story } from '../../core/journal/draft-page.ts';
import { PAGE_SECTIONS } from '../../core/journal/page.ts';
import { pageText, readPageMark, withPageMark } from '../../core/journal/page-text.ts';
import { LONGEST_PAGE, readPage } from '../../core/journal/read-page.ts';
import { Fault } from '../../core/model/fault.ts';
import { isSessionId } from '../../core/model/ids.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { redact } from '../../core/text/redact.ts';
import { findProject } from '../find/project.ts';
import { readL1 } from '../find/read-l1.ts';
import { findSession } from '../find/session.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { fullExchanges } from '../layers/read.ts';
import { goneMessages, trueStatements } from '../layers/standing-statements.ts';
import { unlessFault } from '../or-fault.ts';
import { projectsOf } from '../repository/repositories.ts';
import { type PurgedThen, purgedNow } from '../session/purged-since.ts';
import type { World } from '../world.ts';
import { type Journal, openJournal, pageName } from './place.ts';
import { type JournalPlan, planFile, readJournal } from './save.ts';

export type SummarizeRequest = {
  /** A session id or its beginning; this folder's latest session if left out. */
  id?: string;
  project?: string;
  scope?: string;
  /** A text that an agent or a person wrote, instead of the one that is made offline. */
  text?: string;
  /** An offline page may take the place of one that an agent or a person wrote. */
  replace?: boolean;
  /** Only to be shown: then the project need not have its folder on this machine. */
  print?: boolean;
};

export type SummaryPlan = {
  journal: Journal;
  row: SessionRow;
  plan: JournalPlan;
  /** Sentences for the one who reviews it. */
  notes: string[];
};

const CONTROL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const MOST_UNKNOWN = 5;

/** The page of a conversation, ready to be looked at. Changes nothing in the project. */
export async function planSummary(world: World, request: SummarizeRequest): Promise<SummaryPlan> {
  const found = await summarizedSession(world, request);
  const purged = await purgedNow(world, [found.projectId]);
  // Its title may be what was purged just before.
  const { row } = await findSession(world, found.sessionId, found.projectId);
  const journal = await journalFor(world, request, row);
  const name = pageName(row.sessionId, request.scope);
  const story = await storyOf(world, row);
  const draft = draftPage(story);
  const checked = request.text === undefined ? undefined : checkedText(request.text, story);
  const made =
    checked === undefined
      ? pageText(draft)
      : withPageMark(checked.titled ? checked.text : `# ${draft.title}\n\n${checked.text}`, { ...draft });
  if (journal.root === '')
    return { journal, row, plan: unplacedPlan(name, made, purged), notes: checked?.notes ?? [] };
  if (checked === undefined && !request.replace) await refuseOverAgents(world, journal, name, made);
  const plan = await planFile(world, journal, { name, made, purged });
  return { journal, row, plan, notes: checked?.notes ?? [] };
}

/** What the page is made from: for an agent that writes it itself. */
export async function storyOf(world: World, row: SessionRow): Promise<Story> {
  const [exchanges, lines] = await Promise.all([fullExchanges(world, row), readL1(world, row)]);
  const manifest = (await world.archive.open(row.projectId))?.manifest;
  const all = manifest && (await trueStatements(world, row.projectId, manifest));
  const gone = manifest && (await goneMessages(world, row.projectId, manifest))(row.sessionId);
  return {
    session: row.sessionId,
    title: sessionTitle(row),
    branches: row.metadata.gitBranches,
    first: row.firstTimestamp,
    last: row.lastTimestamp,
    exchanges,
    ...(gone ? { gone } : {}),
    statements: all?.get(row.sessionId) ?? [],
    lines,
  };
}

/** The session that is named, else the latest of this folder. */
export async function summarizedSession(
  world: World,
  { id, project }: Pick<SummarizeRequest, 'id' | 'project'>,
): Promise<SessionRow> {
  if (id !== undefined) {
    const { row } = await findSession(world, id, project);
    if (row.by === undefined) return row;
    throw new Fault(
      'usage',
      `Session ${row.sessionId} belongs to ${row.by}; the journal contains only your own sessions.`,
      {
        hint: `If it is yours: keepsake sessions claim ${row.sessionId}`,
      },
    );
  }
  const here = project === undefined ? await openJournal(world) : undefined;
  const own = here ? here.known && here.project : await findProject(world, project!);
  const rows = own ? await allSessions(world, own) : [];
  const nearness = ({ folder, projectId }: SessionRow) =>
    folder !== '' && `${world.places.cwd}/`.startsWith(`${folder}/`) ? 2 : projectId === own ? 1 : 0;
  const [latest] = rows
    .filter((row) => row.registered && row.originalMessages > 0 && row.by === undefined)
    // Of another worktree only if there is none of this folder.
    .sort((a, b) => nearness(b) - nearness(a) || (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
  if (latest) return latest;
  throw new Fault('not-found', 'This folder has no sessions yet.', {
    hint: 'Run the command in the folder where the agent works, or give a session id: keepsake sessions lists them.',
  });
}

/** The journal that the page belongs to: of the session's own project, here where this is a moved copy of it. */
async function journalFor(
  world: World,
  { project, print }: SummarizeRequest,
  row: SessionRow,
): Promise<Journal> {
  if (project === undefined) {
    const here = await openJournal(world);
    if (here.known && (await projectsOf(world, row.projectId)).includes(here.project)) return here;
  }
  const opened = openJournal(world, project ?? row.projectId);
  // A page in another project's folder would make that one's memory wrong; to be shown it needs no folder.
  const journal = print ? await unlessFault(opened, ['not-found']) : await opened;
  return journal ?? { project: row.projectId, root: '', known: true, state: 'none', files: [] };
}

function unplacedPlan(name: string, made: string, purged: PurgedThen): JournalPlan {
  return { name, made, purged, text: made, before: undefined, own: 0, same: false, diff: [] };
}

type Checked = { text: string; titled: boolean; notes: string[] };

/** A text from outside: checked, without secrets, otherwise as it was written. */
function checkedText(text: string, story: Story): Checked {
  if (text.length > LONGEST_PAGE)
    throw new Fault(
      'usage',
      `The text has ${text.length.toLocaleString('en')} characters; the limit for a summary is ${LONGEST_PAGE.toLocaleString('en')}.`,
      {
        hint: 'Pass the summary, not the conversation.',
      },
    );
  if (text.includes('\0')) throw new Fault('usage', 'The input is not text.');
  const { text: plain } = redact(text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROL, ''));
  const page = readPage(plain, story.session);
  if (plain.trim() === '' || (page.points.length === 0 && page.context === ''))
    throw new Fault('usage', 'The text has neither a context nor tracking points.', {
      hint: `Give Markdown: "# Title", "## ${PAGE_SECTIONS.context}", "## ${PAGE_SECTIONS.points}" with bullets such as "- **Decision:** …".`,
    });
  const notes: string[] = [];
  for (const section of [PAGE_SECTIONS.context, PAGE_SECTIONS.points])
    if (!new RegExp(`^##\\s+${section}`, 'im').test(plain)) notes.push(`It has no section "${section}".`);
  const unknown = unknownNames(plain, story);
  if (unknown.length > 0)
    notes.push(
      `It mentions names that are not in the session: ${unknown.slice(0, MOST_UNKNOWN).join(', ')}.`,
    );
  return { text: plain.trim(), titled: /^#\s+\S/m.test(plain), notes };
}

/** Paths and code of a text that nobody said or did in the session. */
function unknownNames(text: string, { lines, exchanges }: Story): string[] {
  const source = [
    ...lines.flatMap(({ text: words, target, diff, result }) => [words, target, diff, result]),
    ...exchanges.flatMap(({ files }) => files),
  ]
    .filter((it) => it !== undefined)
    .join('\n')
    .toLowerCase();
  const names = [
    ...[...text.matchAll(/`([^`\n]{3,120})`/g)].map(([, it]) => it!),
    ...[...text.matchAll(/(?<![\w/`])((?:[\w@.-]+\/)+[\w@-][\w@.-]*\.\w{1,6})/g)].map(([, it]) => it!),
  ];
  return [...new Set(names)].filter((it) => !source.includes(it.toLowerCase()) && !/^ex_/.test(it));
}

/** Only a page made offline records who said its points in which exchange. */
export function namesExchanges(page: string): boolean {
  return readPage(page, '').points.some(({ by, exchange }) => by !== undefined && exchange !== undefined);
}

/** A model's or a person's page is better than ours: it is not replaced unasked. */
async function refuseOverAgents(world: World, journal: Journal, name: string, made: string): Promise<void> {
  const current = await readJournal(world, journal, name);
  const written = current !== undefined && readPageMark(current);
  if (!written || !isSessionId(written.session)) return;
  if (namesExchanges(current) || !namesExchanges(made)) return;
  throw new Fault('conflict', `${name} was written by an agent or by hand.`, {
    hint: 'Give a newer text with --from FILE, or use --replace to write it again offline. Lines that you added are kept.',
  });
}
