import { preferredRatio } from '../../core/compose/allocate.ts';
import type { ComposedFrame } from '../../core/compose/composed-text.ts';
import { detectedMarkers, type EffectiveMarker, effectiveMarkers } from '../../core/keepit/overlays.ts';
import type { CompositionRequest } from '../../core/model/composition.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import { isUuid, type ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { cutAtWord } from '../../core/text/sentences.ts';
import { projectDistances } from '../find/session-distance.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { projectsOf, repositoryNames } from '../repository/repositories.ts';
import { type SessionVerdicts, VerdictReader } from '../search/session-verdicts.ts';
import type { World } from '../world.ts';
import { manifestAsOf } from './as-of.ts';

/** A session that a composition is asked of, with everything that is known about it without reading it. */
export type Member = {
  ref: SessionRef;
  asked: CompositionRequest['components'][number];
  manifest: Manifest;
  config: Config;
  record: SessionRecord;
  distance: number;
  preferredRatio: number;
  /** Content that must be there. */
  pinned: EffectiveMarker[];
  heading: Record<ComposedFrame['headings'], string>;
};

const LONGEST_TITLE = 60;
const SHORT_TITLE = 30;

export async function membersOf(
  world: World,
  request: CompositionRequest,
  home: ProjectId,
): Promise<Member[]> {
  const projects = new Map<string, Promise<Project>>();
  const own = new Set<string>(await projectsOf(world, home));
  const names = await repositoryNames(world);
  const members: Member[] = [];
  const verdicts = new VerdictReader(world);
  for (const asked of request.components) {
    const project = projects.get(asked.projectId) ?? openProject(world, asked.projectId, request.asOf);
    projects.set(asked.projectId, project);
    const named = own.has(asked.projectId) ? undefined : (names.get(asked.projectId) ?? asked.projectId);
    const member = memberOf(await project, asked, named);
    const { projectId, sessionId } = asked;
    const { since } = await verdicts.of({ project: projectId, file: member.record.l1.file, name: sessionId });
    // As of a day, what was withdrawn after it was still true.
    members.push(
      request.asOf === undefined ? { ...member, heading: withVerdicts(member.heading, since) } : member,
    );
  }
  return members;
}

const MOST_VERDICTS = 2;
const LONGEST_WAS = 80;

/** A heading that says what of the session is no longer true: its text has the words as they were said. */
function withVerdicts(heading: Member['heading'], since: SessionVerdicts['since']): Member['heading'] {
  const notes = [...new Map(since.map((one) => [one.verdict, one])).values()]
    .slice(0, MOST_VERDICTS)
    .map(({ was, verdict }) => `“${cutAtWord(was.replace(/\s+/g, ' '), LONGEST_WAS)}” ${verdict}`);
  if (notes.length === 0) return heading;
  const noted = (text: string) => `${text}; since then: ${notes.join('; ')}`;
  return { ...heading, titles: noted(heading.titles), short: noted(heading.short) };
}

type Project = { manifest: Manifest; config: Config; distances: Map<string, number> };

async function openProject(world: World, id: ProjectId, asOf: string | undefined): Promise<Project> {
  const opened = await world.archive.open(id);
  if (!opened) throw new Fault('not-found', `No project ${JSON.stringify(id)}.`);
  const manifest = asOf === undefined ? opened.manifest : manifestAsOf(opened.manifest, asOf);
  const { config } = await world.settings.resolve(manifest.settings);
  const then = (it: Manifest) => (asOf === undefined ? it : manifestAsOf(it, asOf));
  return { manifest, config, distances: await projectDistances(world, manifest, then) };
}

/** `named` is what its project is called, where that is another one. */
function memberOf(
  { manifest, config, distances }: Project,
  asked: Member['asked'],
  named: string | undefined,
): Member {
  const record = manifest.sessions[asked.sessionId];
  if (!record) {
    throw new Fault(
      'not-found',
      `No session ${JSON.stringify(asked.sessionId)} in ${manifest.displayName}.`,
      {
        hint: 'It was purged, or it started after the day given by --as-of. List sessions with `keepsake sessions`.',
      },
    );
  }
  const overlays = manifest.overlays.filter((overlay) => overlay.sessionId === asked.sessionId);
  const markers = effectiveMarkers(detectedMarkers(record), overlays);
  const distance = distances.get(asked.sessionId) ?? distances.size + 1;
  return {
    ref: { project: asked.projectId, session: asked.sessionId },
    asked,
    manifest,
    config,
    record,
    distance,
    preferredRatio: preferredRatio(distance, config.levels),
    pinned: markers.filter(({ weight, held }) => !held && weight >= config.keepitDecay.pinnedWeight),
    heading: headingOf(record, named),
  };
}

function headingOf(record: SessionRecord, project: string | undefined): Member['heading'] {
  const id = isUuid(record.sessionId) ? record.sessionId.slice(0, 8) : record.sessionId;
  const words = (sessionTitle(record) ?? '').replace(/\s+/g, ' ').replace(/^#+ */, '').trim();
  const { gitBranch } = record.metadata;
  const days = [record.firstTimestamp.slice(0, 10), record.lastTimestamp.slice(0, 10)].filter(Boolean);
  const whose = record.by === undefined ? `session ${id}` : `session ${id}, by ${record.by}`;
  const of = [whose, ...(project === undefined ? [] : [`project ${project}`])];
  const whole = [
    ...of,
    ...(days.length === 0 ? [] : [[...new Set(days)].join(' to ')]),
    ...(gitBranch ? [`branch ${gitBranch}`] : []),
  ];
  return {
    titles: titled(words, LONGEST_TITLE, whole),
    short: titled(words, SHORT_TITLE, [...of, ...days.slice(-1)]),
    days: [...of, ...days.slice(-1)].join(', '),
    ids: whose,
    dates: [...new Set(days)].join(' to ') || whose,
  };
}

function titled(words: string, longest: number, where: string[]): string {
  const cut = [...words].slice(0, longest - 1).join('');
  // Between words, unless a single one is longer.
  const title = [...words].length > longest ? `${cut.replace(/\s+\S*$/, '')}…` : words;
  return words === '' ? where.join(', ') : `${title} (${where.join(', ')})`;
}
