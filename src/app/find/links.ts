import { Fault } from '../../core/model/fault.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import { shortHash } from '../../core/model/ids.ts';
import type { SharedMemoryLink } from '../../core/model/link.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { redact } from '../../core/text/redact.ts';
import type { World } from '../world.ts';
import { findProject } from './project.ts';
import { openProjects } from './projects.ts';
import { findSession } from './session.ts';

export type LinkRow = SharedMemoryLink & {
  sourceName: string;
  targetName: string;
  title: string;
  /** The session is no longer there. */
  gone?: true;
};

/** `to` is the project that gets the session; `project` the one that it is of. */
type LinkRequest = { session: string; to: string; reason: string; project?: string | undefined };

const LONGEST_REASON = 300;

/** Offers a session to another project. Linking twice gives the existing link. */
export async function addLink(
  world: World,
  { session, to, reason, project }: LinkRequest,
): Promise<SharedMemoryLink> {
  const { projectId, sessionId } = await findSession(world, session, project);
  const target = await findProject(world, to);
  if (target === projectId)
    throw new Fault('usage', 'The session already belongs to that project.', {
      hint: 'Link it to another project.',
    });
  const words = redact(reason.replace(/\s+/g, ' ').trim()).text.slice(0, LONGEST_REASON);
  const linkId = `ln_${shortHash(`${projectId}:${sessionId}:${target}`, 12)}`;
  const existing = (await world.archive.open(target))?.manifest.links.find((link) => link.linkId === linkId);
  if (existing?.reason === words) return existing;
  const link: SharedMemoryLink = {
    linkId,
    sourceProject: projectId,
    sourceSession: sessionId,
    targetProject: target,
    linkedAt: existing?.linkedAt ?? world.clock.now(),
    reason: words,
  };
  await world.archive.change(
    target,
    [
      { at: ['links'], without: { linkId } },
      { at: ['links'], append: link, unique: 'linkId' },
    ],
    [
      {
        at: world.clock.now(),
        action: 'link',
        sessionId,
        note: `From ${projectId}: ${words || 'no reason given'}`,
      },
    ],
  );
  return link;
}

/** All links, or those to one project. */
export async function listLinks(world: World, project?: string): Promise<LinkRow[]> {
  const only = project === undefined ? undefined : await findProject(world, project);
  const manifests = await openProjects(world);
  const byId = new Map(manifests.map((manifest) => [manifest.projectId as string, manifest]));
  return manifests
    .filter(({ projectId }) => only === undefined || projectId === only)
    .flatMap((manifest) =>
      manifest.links.map((link) => {
        const source = byId.get(link.sourceProject);
        const record = source?.sessions[link.sourceSession];
        return {
          ...link,
          sourceName: source?.displayName ?? link.sourceProject,
          targetName: manifest.displayName,
          title: (record && sessionTitle(record)) ?? '',
          ...(record ? {} : { gone: true as const }),
        };
      }),
    );
}

/** By its id, or by the session (and the project) that it links. */
export async function removeLink(world: World, text: string, to?: string): Promise<LinkRow> {
  const fits = (await listLinks(world, to)).filter(
    ({ linkId, sourceSession }) => linkId === text || sourceSession.startsWith(text),
  );
  const [link] = fits;
  if (!link)
    throw new Fault('not-found', `No link ${JSON.stringify(text.slice(0, 60))}.`, {
      hint: '`keepsake links` lists them.',
    });
  if (fits.length > 1)
    throw new Fault('ambiguous', `${JSON.stringify(text)} matches ${fits.length} links.`, {
      hint: `Choose one:\n${fits.map((it) => `  ${it.linkId}  to ${it.targetName}`).join('\n')}`,
      choices: fits.map((it) => ({ projectId: it.targetProject, id: it.linkId, name: it.targetName })),
    });
  await world.archive.change(
    link.targetProject,
    [{ at: ['links'], without: { linkId: link.linkId } }],
    [removedEvent(link, world.clock.now())],
  );
  return link;
}

const REMOVED = 'Link removed.';

function removedEvent({ sourceSession, linkId, linkedAt }: SharedMemoryLink, at: string): HistoryEvent {
  return { at, action: 'link', sessionId: sourceSession, note: REMOVED, details: { linkId, linkedAt } };
}

/** When each removed link was made, by the clock that made it: only one that was made later comes again. */
export function removedLinks(events: readonly HistoryEvent[]): Map<string, string> {
  const removed = new Map<string, string>();
  for (const { action, note, details = {} } of events) {
    const { linkId, linkedAt } = details;
    if (action !== 'link' || note !== REMOVED) continue;
    if (typeof linkId !== 'string' || typeof linkedAt !== 'string') continue;
    if (linkedAt > (removed.get(linkId) ?? '')) removed.set(linkId, linkedAt);
  }
  return removed;
}
