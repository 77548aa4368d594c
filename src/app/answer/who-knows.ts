import { sessionTitle } from '../../core/model/session-title.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { ME } from '../layers/facts.ts';
import { search } from '../search/search.ts';
import type { World } from '../world.ts';
import { type Decision, decidedAbout } from './decided-about.ts';

export type WhoRequest = { asked: string; project?: string };

/** Someone who worked on it. */
export type Knower = {
  /** `me`, or the name of someone else. */
  name: string;
  sessions: number;
  last: string;
  /** The latest of them. */
  latest: { sessionId: string; projectId: string; title: string; projectName: string; last: string }[];
};
export type WhoAnswer = {
  asked: string;
  /** What was asked for is a file that sessions touched. */
  isFile: boolean;
  people: Knower[];
  decisions: Decision[];
};

/** Sessions of a topic that are looked at. */
const MOST_HITS = 60;
const MOST_SHOWN = 3;

/** Who worked on a topic or a file, who last did first, and what was decided about it. */
export async function whoKnows(world: World, { asked, project }: WhoRequest): Promise<WhoAnswer> {
  const rows = (await allSessions(world, project)).filter(({ registered }) => registered);
  const touching = rows.filter((row) => row.metadata.filesTouched.some((path) => isFile(path, asked)));
  const found = touching.length > 0 ? touching : await aboutTopic(world, rows, { asked, project });
  return {
    asked,
    isFile: touching.length > 0,
    people: peopleIn(found),
    decisions: await decidedAbout(world, { asked, project }, found),
  };
}

function isFile(path: string, asked: string): boolean {
  const wanted = asked.replace(/^\.?\//, '');
  return wanted !== '' && (path === asked || path === wanted || path.endsWith(`/${wanted}`));
}

type Asked = { asked: string; project: string | undefined };

async function aboutTopic(
  world: World,
  rows: readonly SessionRow[],
  { asked, project }: Asked,
): Promise<SessionRow[]> {
  const filters = project === undefined ? {} : { filters: { project } };
  // Of a file that nobody touched, its whole name: half of it, such as its ending, is in many others.
  const name = /^\S+\.[a-z0-9]{1,8}$/i.test(asked) ? asked.split('/').at(-1)!.toLowerCase() : undefined;
  const how =
    name === undefined
      ? { query: asked, grain: 'session' as const }
      : { query: `"${name}"`, grain: 'turn' as const };
  const found = await search(world, { ...how, limit: MOST_HITS, ...filters });
  const hits = found.hits.filter(({ text }) => name === undefined || text.toLowerCase().includes(name));
  const wanted = new Set(hits.map(({ sessionId }) => sessionId));
  return rows.filter(({ sessionId }) => wanted.has(sessionId));
}

function peopleIn(rows: readonly SessionRow[]): Knower[] {
  const people = [...Map.groupBy(rows, ({ by }) => by ?? ME)].map(([name, theirs]): Knower => {
    const newest = theirs.toSorted((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
    return {
      name,
      sessions: theirs.length,
      last: newest[0]!.lastTimestamp,
      latest: newest.slice(0, MOST_SHOWN).map((row) => ({
        sessionId: row.sessionId,
        projectId: row.projectId,
        title: sessionTitle(row) ?? '',
        projectName: row.projectName,
        last: row.lastTimestamp,
      })),
    };
  });
  return people.sort((a, b) => (a.last < b.last ? 1 : -1));
}
