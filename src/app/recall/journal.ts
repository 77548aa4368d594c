import { masterDigest } from '../../core/journal/master-digest.ts';
import { readMasterMark } from '../../core/journal/master-mark.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { redact } from '../../core/text/redact.ts';
import type { RecallScope } from '../find/scope.ts';
import { JOURNAL, type Journal, masterName, openJournal } from '../journal/place.ts';
import { isText, LARGEST_FILE } from '../journal/save.ts';
import { journalStatus, projectJournal, statusSentence } from '../journal/status.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import type { RecallPiece } from './sources.ts';
import { isBy } from './topic.ts';

/** The maximum share of the master in a recall without a topic. */
const SHARE = 0.6;

type Asked = { budget: number; count: (text: string) => number; asOf?: string | undefined };

/** The trusted master of the project that is asked, as much as fits, and what is to be said about it. */
export async function journalPieces(
  world: World,
  scope: RecallScope,
  { budget, count, asOf }: Asked,
): Promise<{ pieces: RecallPiece[]; notes: string[] }> {
  const journal = scope.project && (await journalOf(world, scope.project.projectId));
  if (!journal || journal.state === 'none') return { pieces: [], notes: [] };
  const settings = scope.project?.settings;
  const { warnAfterDays } = (await world.settings.resolve(settings)).config.synthesis;
  const status = await journalStatus(world, journal);
  if (journal.state === 'foreign') {
    const advice = `Review it, then run: keepsake synthesize --approve`;
    return {
      pieces: [],
      notes: [`${statusSentence(status, warnAfterDays)} It is not included. ${advice}`],
    };
  }
  const bytes = await world.projectFiles.read(journal.root, masterName(), LARGEST_FILE);
  if (!bytes || !isText(bytes)) return { pieces: [], notes: [] };
  const text = bytes.toString('utf8');
  const at = readMasterMark(text)?.at ?? '';
  if (asOf !== undefined && !isBy(at, asOf)) return { pieces: [], notes: [] };
  const digest = redact(masterDigest(text, Math.floor(budget * SHARE), count)).text;
  const pieces: RecallPiece[] = digest === '' ? [] : [pieceOf(world, journal, digest, at)];
  const old = warnAfterDays > 0 && status.newer > 0 && (status.days ?? 0) >= warnAfterDays;
  return {
    pieces,
    notes: old ? [`${statusSentence(status, warnAfterDays)} keepsake synthesize rebuilds it.`] : [],
  };
}

function pieceOf(world: World, { project }: Journal, text: string, at: string): RecallPiece {
  return {
    kind: 'journal',
    section: 'Journal',
    source: `${masterName()}${at === '' ? '' : `, made on ${world.clock.local(at).slice(0, 10)}`}`,
    text,
    project,
    sessionId: '',
    ts: at,
  };
}

/** That of the folder, of a moved copy in which the user is, else of another folder of the project. */
async function journalOf(world: World, project: ProjectId): Promise<Journal | undefined> {
  const journal = await projectJournal(world, project);
  if (journal && journal.state !== 'none') return journal;
  const here = await openJournal(world);
  const folders = await projectsOf(world, project);
  if (folders.includes(here.project) && here.state !== 'none') return here;
  for (const folder of folders) {
    const other = folder === project ? undefined : await projectJournal(world, folder);
    if (other && other.state !== 'none') return other;
  }
  return journal;
}

/** A piece for the start of a session: how many summaries are newer than the master, and its age. */
export async function journalNews(
  world: World,
  project: ProjectId,
  warnAfterDays: number,
): Promise<{ section: string; source: string; text: string; whole: true }[]> {
  const journal = await projectJournal(world, project);
  if (!journal || journal.state === 'none') return [];
  const text = statusSentence(await journalStatus(world, journal), warnAfterDays);
  return text === '' ? [] : [{ section: 'Journal', source: `${JOURNAL}/`, text, whole: true }];
}
