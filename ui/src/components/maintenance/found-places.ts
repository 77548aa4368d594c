import type { RouteLocationRaw } from 'vue-router';
import type { Answer } from '../../api/call-api.ts';
import { counted, wholeNumber } from '../../text/numbers.ts';

export type PurgeAnswer = Answer<'post /api/memory/purge'>;
type Find = PurgeAnswer['found'][number];
/** A session, a composition or a view that holds what is looked for, and the way to it. */
type FoundPlace = { key: string; title: string; about: string; to: RouteLocationRaw };

/** Views that show what belongs to no session, by the kind of their files. */
const VIEWS: Record<string, { title: string; to: (project: string) => RouteLocationRaw }> = {
  layers: { title: 'Facts and concepts', to: (project) => ({ name: 'facts', query: { project } }) },
  'rolling memory and notes': {
    title: 'Memory files',
    to: (project) => ({ name: 'memory-files', query: { project } }),
  },
  journal: { title: 'Journal', to: (project) => ({ name: 'journal', query: { project } }) },
  injections: { title: 'Injections', to: () => ({ name: 'injections' }) },
  history: { title: 'History', to: (project) => ({ name: 'care', query: { tab: 'history', project } }) },
};

/** Kinds of files as people call them. */
const KINDS: Record<string, string> = {
  originals: 'the original',
  layers: 'what was made from it',
  versions: 'its versions',
};

/** What was found as places to open, a session once, those with the most matches first. `nameOf` names a project. */
export function foundPlaces(found: readonly Find[], nameOf: (projectId: string) => string): FoundPlace[] {
  const groups = new Map<string, Find[]>();
  for (const it of found) {
    const key = JSON.stringify([it.projectId, it.sessionId ?? it.composition ?? it.kind]);
    groups.set(key, [...(groups.get(key) ?? []), it]);
  }
  return [...groups].flatMap(([key, own]) => {
    const [first] = own;
    const place = first && placeOfFind(own, first);
    if (!first || !place) return [];
    const kinds = own.map((it) => `${wholeNumber(it.matches)} in ${KINDS[it.kind] ?? it.kind}`).join(', ');
    return [{ key, ...place, about: `${nameOf(first.projectId)}: ${kinds}` }];
  });
}

function placeOfFind(own: readonly Find[], first: Find): Pick<FoundPlace, 'title' | 'to'> | undefined {
  const { projectId, sessionId, composition, kind } = first;
  if (composition !== undefined)
    return {
      title: `Composition ${composition}`,
      to: { name: 'composition', params: { projectId, compositionId: composition } },
    };
  if (sessionId === undefined) {
    const view = VIEWS[kind];
    return view && { title: view.title, to: view.to(projectId) };
  }
  const src = own.find((it) => it.src !== undefined)?.src;
  return {
    title: first.title ?? sessionId.slice(0, 8),
    // The place may be inside of what a tool said.
    to: {
      name: 'session',
      params: { projectId, sessionId, tab: 'messages' },
      query: src === undefined ? {} : { src, tools: 'yes' },
    },
  };
}

/** `Found 14 times in 5 files.` */
export function foundText({ places }: Pick<PurgeAnswer, 'places'>): string {
  const sum = (of: 'matches' | 'files') => places.reduce((all, it) => all + it[of], 0);
  return places.length === 0
    ? 'Not found in the memory.'
    : `Found ${counted(sum('matches'), 'time')} in ${counted(sum('files'), 'file')}.`;
}

const PHASES: Record<string, string> = {
  memory: 'Step 1 of 2: the memory',
  outside: 'Step 2 of 2: files outside it',
};

/** How far a search is: a sentence, and percent where they are known. */
export function searchProgress(
  progress: { phase?: string | undefined; done: number; total: number } | null | undefined,
): { text: string; percent: number | undefined } {
  if (!progress) return { text: 'Waiting…', percent: undefined };
  const percent = progress.total === 0 ? 100 : Math.floor((100 * progress.done) / progress.total);
  return { text: `${PHASES[progress.phase ?? ''] ?? 'Searching'}, ${percent}%`, percent };
}
