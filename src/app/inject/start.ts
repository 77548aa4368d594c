import { SaidWords, writtenTo } from '../../core/inject/already-said.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { isReadByLine } from '../../core/search/packed-tokens.ts';
import { rulePieces } from '../answer/rules.ts';
import { notInjected, packWithin, pieceKey } from '../answer/text.ts';
import { faultText, orFault } from '../or-fault.ts';
import type { Folder } from '../repository/folder-projects.ts';
import { repositoryOf } from '../repository/repositories.ts';
import { unhelpfulLast, unhelpfulSources } from '../search/unhelpful-sources.ts';
import { noteClosed, openSessions } from '../sync/open-sessions.ts';
import { type HookSession, loadHookSession, saveHookSession } from '../sync/running-session.ts';
import type { World } from '../world.ts';
import { logInjection } from './injection-log.ts';
import { type AgentInstructions, agentInstructions } from './instructions.ts';
import { startInjection } from './start-injection.ts';
import { knownTokens, startTitle } from './start-title.ts';

/** Sessions whose end no hook saw, recorded at once at most: the others wait for the next start. */
const MOST_SETTLED = 2;

/** What memory says when a session starts; empty when there is nothing. Notes in `state` what was injected. */
export async function startText(
  world: World,
  state: HookSession,
  project: ProjectId,
  config: Config,
): Promise<string> {
  world.hurry?.();
  const { folders } = await repositoryOf(world, project);
  const ids = folders.map(({ projectId }) => projectId);
  await alone(world, settleOthers(world, state, ids, config));
  const [instructions, rules, injection, journal, team] = await Promise.all([
    agentInstructions(world, world.places.cwd),
    rulePieces(world, ids),
    startInjection(world, project, ids),
    news(world, project, folders, config),
    teamPieces(world, ids, config),
  ]);
  const others = injection.pieces.filter(({ sessionId }) => sessionId !== state.session);
  const unhelpful = await unhelpfulSources(world, folders);
  const pieces = unhelpfulLast(
    notInjected([...rules, ...journal, ...team, ...others], state.told),
    unhelpful,
  );
  const unsaid = unsaidPieces(pieces, instructions);
  const title = startTitle(injection.name, state.session);
  const known = knownTokens(injection, state.session);
  const answer = await packWithin(title, unsaid.pieces, config.hooks.startTokens, known);
  // What the agent's own instructions say is known to it: no prompt repeats it.
  state.told.push(...unsaid.known.map(pieceKey), ...answer.included.map(pieceKey));
  const { text } = answer;
  const said = { session: state.session, on: 'start' as const, why: 'A session started.', text };
  await logInjection(world, project, said, answer.included);
  return text;
}

/** Facts of colleagues, only where the user switched that on. */
async function teamPieces(
  world: World,
  folders: readonly ProjectId[],
  { remote }: Config,
): Promise<(PackedPiece & { id: string })[]> {
  if (remote.inject !== 'team') return [];
  const { teamLines } = await import('../team/team-lines.ts');
  return ((await alone(world, teamLines(world, folders))) ?? []).map(({ id, line }) => ({
    id,
    section: 'From colleagues',
    source: `team fact ${id}`,
    text: line,
    whole: true,
  }));
}

type Unsaid<P> = { pieces: P[]; known: P[] };

/**
 * Without the lines that the instructions hold, or a piece before; `known` is what the instructions hold all of, or a part. What
 * was once written to one of their files is in it, or was taken out again.
 */
export function unsaidPieces<P extends { text: string; tokens?: number }>(
  pieces: P[],
  instructions: AgentInstructions,
): Unsaid<P> {
  const unsaid: Unsaid<P> = { pieces: [], known: [] };
  const instructed = new SaidWords();
  instructed.add(instructions.text);
  const said = new SaidWords();
  for (const piece of pieces) {
    if (instructions.files.has(writtenTo(piece.text) ?? '')) {
      unsaid.known.push(piece);
      continue;
    }
    const own = instructed.leftOf(piece.text);
    if (own !== piece.text) unsaid.known.push(piece);
    const text = said.leftOf(own);
    if (text === '') continue;
    const { tokens, ...uncounted } = piece;
    const isCounted = tokens !== undefined && (text === piece.text || isReadByLine(piece.text));
    unsaid.pieces.push({ ...uncounted, text, ...(isCounted ? { tokens } : {}) } as P);
    said.add(text);
  }
  return unsaid;
}

/** What fails alone: the rest is said anyway. */
async function alone<T>(world: World, work: Promise<T>): Promise<T | undefined> {
  const outcome = await orFault(work);
  if (!(outcome instanceof Fault)) return outcome;
  if (outcome.code !== 'busy') world.log?.(faultText(outcome));
  return undefined;
}

/** What is to be said of the project's journal, if there is one. */
async function news(
  world: World,
  project: ProjectId,
  folders: readonly Folder[],
  config: Config,
): Promise<PackedPiece[]> {
  const own = folders.find(({ projectId }) => projectId === project);
  for (const { projectId, originalPath: root } of [...(own ? [own] : []), ...folders]) {
    if (root === '' || (await world.machine.accessTo(`${root}/_memory`)) === 'missing') continue;
    const { journalNews } = await import('../recall/journal.ts');
    return (await alone(world, journalNews(world, projectId, config.synthesis.warnAfterDays))) ?? [];
  }
  return [];
}

/** A session that was killed or runs in parallel: its record catches up with what its hooks read, unless it is kept out by now. */
async function settleOthers(
  world: World,
  state: HookSession,
  folders: readonly ProjectId[],
  config: Config,
): Promise<void> {
  let left = MOST_SETTLED;
  for (const session of await openSessions(world)) {
    if (session === state.session || left === 0) continue;
    const other = await loadHookSession(world, session);
    const { place } = other;
    if (!place || !folders.includes(place.project)) continue;
    const file = await world.transcripts.inspect(place.path);
    if (!file || file === 'folder' || place.recorded >= file.size) continue;
    const { isKeptOutNow } = await import('../sync/sync-session.ts');
    if (await isKeptOutNow(world, place)) {
      await noteClosed(world, session);
      continue;
    }
    left--;
    const { ingestRunning } = await import('../sync/ingest-running.ts');
    await ingestRunning(world, place, file, { config, upTo: 'record' });
    // Its own hook may have noted something meanwhile.
    await saveHookSession(world, { ...(await loadHookSession(world, session)), place });
  }
}
