import type { Manifest } from '../../core/model/manifest.ts';
import type { PurgedText } from '../../core/model/purge-mask.ts';
import type { SearchedBytes, Wiped } from '../../ports/archive.ts';
import { JOURNAL } from '../journal/place.ts';
import type { World } from '../world.ts';

/** A search that can be stopped, and that says how far it is: first in the memory, then in files outside it. */
export type PurgeSearch = {
  signal?: AbortSignal | undefined;
  onLooked?: ((phase: 'memory' | 'outside', looked: SearchedBytes) => void) | undefined;
};
export type PurgePlace = { kind: string; files: number; matches: number };

/** A project's own folders that hold memory, where they are. */
export async function memoryFolders(world: World, manifests: Manifest[]): Promise<string[]> {
  const folders = new Set<string>();
  for (const { projectId, originalPath } of manifests) {
    const place = world.archive.places.where(projectId);
    if (place.kind === 'project') folders.add(place.folder);
    if (originalPath === '') continue;
    for (const name of [JOURNAL, '.claude/memory']) {
      const folder = `${originalPath}/${name}`;
      if ((await world.machine.accessTo(folder)) === 'write') folders.add(folder);
    }
  }
  return [...folders];
}

/** Where the texts are: in the archive, then in the projects' own memory folders. Overwrites nothing. */
export async function findTexts(
  world: World,
  manifests: Manifest[],
  texts: PurgedText[],
  run: PurgeSearch = {},
): Promise<Wiped> {
  const { signal } = run;
  const onLooked = (looked: SearchedBytes) => run.onLooked?.('memory', looked);
  const all = await world.archive.wipe(texts, {
    overwrite: false,
    signal,
    onLooked: run.onLooked && onLooked,
  });
  const only = await memoryFolders(world, manifests);
  if (only.length === 0) return all;
  const own = await world.archive.wipe(texts, { overwrite: false, only, signal });
  return {
    files: [...all.files, ...own.files],
    looked: { files: all.looked.files + own.looked.files, bytes: all.looked.bytes + own.looked.bytes },
  };
}

/** Files that quote many sessions, and that are not rebuilt from them. */
export async function excerptPlaces(world: World, manifests: Manifest[]): Promise<string[]> {
  const { files } = world.archive;
  const places = [files.path(undefined, 'hooks'), ...(await memoryFolders(world, manifests))];
  for (const { projectId } of manifests) {
    const project = projectId;
    for (const folder of ['memory', 'journal', 'composed', 'injections'])
      for (const name of await files.list(project, folder))
        if (folder !== 'memory' || !name.startsWith('sessions/'))
          places.push(files.path(project, `${folder}/${name}`));
    places.push(files.path(project, 'memory-of').replace(/memory-of$/, 'history.jsonl'));
  }
  return [...new Set(places)];
}

const KINDS: [RegExp, string][] = [
  [/^projects\/[^/]+\/originals\//, 'originals'],
  [/^projects\/[^/]+\/memory\/(sessions\/|facts|concepts)/, 'layers'],
  [/^projects\/[^/]+\/memory\//, 'rolling memory and notes'],
  [/^projects\/[^/]+\/(summaries|decay)\//, 'versions'],
  [/^projects\/[^/]+\/composed\//, 'compositions'],
  [/^projects\/[^/]+\/journal\//, 'journal'],
  [/^projects\/[^/]+\/injections\//, 'injections'],
  [/^projects\/[^/]+\/backups\//, 'backups'],
  [/^projects\/[^/]+\/manifest\./, 'records'],
  [/^projects\/[^/]+\/history\.jsonl$/, 'history'],
  [/^cache\//, 'cache'],
  [/^logs\//, 'logs'],
];

/** A file's path below the archive; undefined outside of it. */
export function insideArchive(world: World, path: string): string | undefined {
  return path.startsWith(world.archive.root)
    ? path.slice(world.archive.root.length + 1).replaceAll('\\', '/')
    : undefined;
}

/** What a file of the archive is, in the words of a report. */
export function kindOfFile(inside: string | undefined): string {
  if (inside === undefined) return "the project's own memory";
  return KINDS.find(([pattern]) => pattern.test(inside))?.[1] ?? 'other files';
}

/** The findings, by kind. */
export function placesOf(world: World, { files }: Wiped): PurgePlace[] {
  const places = new Map<string, PurgePlace>();
  for (const { path, matches } of files) {
    const kind = kindOfFile(insideArchive(world, path));
    const place = places.get(kind) ?? { kind, files: 0, matches: 0 };
    place.files++;
    place.matches += matches;
    places.set(kind, place);
  }
  return [...places.values()];
}

/** Files that are not the archive's to touch, and that hold it anyway: reported, so that the user can deal with them. */
export async function outsideOf(
  world: World,
  manifests: Manifest[],
  { texts, found, look }: { texts: PurgedText[]; found: Wiped; look?: PurgeSearch | undefined },
): Promise<{ path: string; kind: 'transcript' | 'instructions' | 'export' }[]> {
  const outside: { path: string; kind: 'transcript' | 'instructions' | 'export' }[] = [];
  const signal = look?.signal;
  const onLooked = look?.onLooked && ((looked: SearchedBytes) => look.onLooked?.('outside', looked));
  const search = async (only: string[], kind: 'transcript' | 'instructions') => {
    if (only.length === 0) return;
    const { files } = await world.archive.wipe(texts, { overwrite: false, only, signal, onLooked });
    outside.push(...files.map(({ path }) => ({ path, kind })));
  };
  await search(world.places.claudeProjects, 'transcript');
  await search(sourcesOf(world, manifests, found), 'transcript');
  const roots = manifests.map(({ originalPath }) => originalPath).filter((path) => path !== '');
  await search(
    roots.map((root) => `${root}/CLAUDE.md`),
    'instructions',
  );
  outside.push(...(await exportsOf(world, manifests)).map((path) => ({ path, kind: 'export' as const })));
  return outside;
}

/** Sources outside the archive of sessions that contain it: files of other agents, or of a folder that was once named. */
function sourcesOf(world: World, manifests: Manifest[], { files }: Wiped): string[] {
  const { originals } = world.archive;
  const sources = new Set<string>();
  for (const { projectId, sessions } of manifests) {
    for (const { sessionId, originalFile } of Object.values(sessions)) {
      const copy = originals.path(projectId, `${sessionId}.jsonl`).replace(/\.jsonl$/, '');
      if (files.some(({ path }) => path.startsWith(copy))) sources.add(originalFile);
    }
  }
  const known = world.places.claudeProjects.map((folder) => folder.replace(/[\\/]*$/, ''));
  return [...sources].filter((path) => path !== '' && !known.some((folder) => path.startsWith(folder)));
}

/** Bundles are wherever the user put them: whether they contain it is unknown, except for those of other sessions alone. */
export async function exportsOf(world: World, manifests: Manifest[], session?: string): Promise<string[]> {
  const paths = new Set<string>();
  for (const { projectId } of manifests) {
    for (const { action, details } of await world.archive.history(projectId)) {
      if (action !== 'export' || typeof details?.file !== 'string') continue;
      const { file, sessions } = details;
      if (session === undefined || !Array.isArray(sessions) || sessions.includes(session)) paths.add(file);
    }
  }
  return [...paths].sort();
}
