import { draftPage } from '../../core/journal/draft-page.ts';
import { pageText } from '../../core/journal/page-text.ts';
import { readPage } from '../../core/journal/read-page.ts';
import { pointOfStatement } from '../../core/journal/statement-points.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { outdatedStatements, type TrueStatements } from '../layers/standing-statements.ts';
import type { PurgedThen } from '../session/purged-since.ts';
import type { World } from '../world.ts';
import { hashOfPage } from './page-hash.ts';
import type { Journal } from './place.ts';
import { type JournalPlan, planFile } from './save.ts';
import { namesExchanges, storyOf } from './summarize.ts';
import type { PageFile } from './synthesize-sources.ts';

/**
 * The current form of a journal's pages: pages that Keepsake made and that state something withdrawn, forgotten or corrected
 * since are rebuilt; the user's own words stay. Writes nothing; returns plans for the changed pages.
 */
export async function currentPages(
  world: World,
  journal: Journal,
  pages: PageFile[],
  purged: PurgedThen,
): Promise<{ pages: PageFile[]; changed: JournalPlan[] }> {
  const manifest = journal.known ? (await world.archive.open(journal.project))?.manifest : undefined;
  if (!manifest) return { pages, changed: [] };
  const outdated = await outdatedStatements(world, journal.project, manifest);
  const rows = new Map(
    (await allSessions(world, journal.project)).map((row) => [row.sessionId as string, row]),
  );
  const changed: JournalPlan[] = [];
  const current: PageFile[] = [];
  for (const file of pages) {
    const row = rows.get(file.page.session);
    if (!row || row.by !== undefined || !namesExchanges(file.text) || !isBehind(file, row, outdated)) {
      current.push(file);
      continue;
    }
    const made = pageText(draftPage(await storyOf(world, row)));
    const plan = await planFile(world, journal, { name: file.name, made, purged });
    if (!plan.same) changed.push(plan);
    const page = readPage(plan.text, file.page.session);
    current.push({ ...file, text: plan.text, page, hash: hashOfPage(Buffer.from(plan.text)) });
  }
  return { pages: current, changed };
}

/** The session continued since, or the page states something that is no longer true. */
function isBehind({ page }: PageFile, row: SessionRow, outdated: TrueStatements): boolean {
  if (page.last !== '' && page.last < row.lastTimestamp) return true;
  const texts = new Set((outdated.get(row.sessionId) ?? []).map((it) => pointOfStatement(it).text));
  return page.points.some(({ text }) => texts.has(text));
}
