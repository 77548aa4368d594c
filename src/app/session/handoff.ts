import { type Handoff, handoffText } from '../../core/agents/handoff-text.ts';
import { agentName } from '../../core/model/agent.ts';
import { Fault } from '../../core/model/fault.ts';
import { isOwnWords, type L1Line } from '../../core/model/l1.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { projectHere } from '../find/locate-project.ts';
import { readL1 } from '../find/read-l1.ts';
import { type FoundSession, findSession } from '../find/session.ts';
import { allSessions } from '../find/sessions.ts';
import { trueStatements } from '../layers/standing-statements.ts';
import type { World } from '../world.ts';

type HandoffRequest = { session?: string; project?: string; budget: number; waits?: boolean };
/** The text for the other agent, and its topic. */
export type MadeHandoff = {
  sessionId: string;
  title: string;
  /** The folder that the task is in. */
  cwd: string;
  tokens: number;
  text: string;
};

/** The context of a session for another agent: what was asked, how it ended, what is open, decided and changed. */
export async function makeHandoff(world: World, request: HandoffRequest): Promise<MadeHandoff> {
  const found = await sessionFor(world, request);
  const { projectId, sessionId, row } = found;
  const lines = await readL1(world, { projectId, l1: row.l1 });
  if (!lines.some(isAsk))
    throw new Fault('not-found', `Session ${sessionId} has no requests.`, {
      hint: '`keepsake sessions` lists others.',
    });
  const title = row.name ?? row.metadata.title ?? 'A session';
  const whole: Handoff = {
    title,
    sessionId,
    from: agentName(row.metadata.agent),
    ...(row.by === undefined ? {} : { by: row.by }),
    day: world.clock.local(row.lastTimestamp).slice(0, 10),
    asks: lines.filter(isAsk).map((line) => line.text ?? ''),
    outcome: lines.findLast(({ role, text }) => role === 'assistant' && text)?.text ?? '',
    ...(await statedIn(world, found)),
    files: row.metadata.filesTouched,
    waits: request.waits ?? false,
  };
  const text = handoffText(whole, request.budget, estimateTokens);
  return { sessionId, title, cwd: row.metadata.cwd ?? '', tokens: estimateTokens(text), text };
}

/** The one that was named, or the newest of the project that the user is in. */
async function sessionFor(world: World, { session, project }: HandoffRequest): Promise<FoundSession> {
  if (session !== undefined) return findSession(world, session, project);
  const here = project ?? (await projectHere(world));
  const [newest] = here === undefined ? [] : (await allSessions(world, here)).filter((row) => row.registered);
  if (newest) return findSession(world, newest.sessionId, newest.projectId);
  throw new Fault('not-found', 'This folder has no sessions.', {
    hint: '`keepsake sessions` lists all sessions; give the id of one.',
  });
}

function isAsk(line: L1Line): boolean {
  return isOwnWords(line) && Boolean(line.text) && !line.aside && line.command === undefined;
}

async function statedIn(
  world: World,
  { projectId, sessionId }: FoundSession,
): Promise<Pick<Handoff, 'decisions' | 'open'>> {
  const manifest = (await world.archive.open(projectId))?.manifest;
  const stated = manifest ? ((await trueStatements(world, projectId, manifest)).get(sessionId) ?? []) : [];
  const shown = stated.filter(({ tier }) => tier === 'shown');
  return {
    decisions: shown.filter(({ kind }) => kind !== 'open').map(({ text }) => text),
    open: shown.filter(({ kind }) => kind === 'open').map(({ text }) => text),
  };
}
