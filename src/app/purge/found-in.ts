import type { Manifest } from '../../core/model/manifest.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import type { Wiped } from '../../ports/archive.ts';
import type { World } from '../world.ts';
import { insideArchive, kindOfFile } from './places.ts';

/** A session, a composition or a project that contains it, with how often. */
export type PurgeFind = {
  kind: string;
  projectId: string;
  sessionId?: string;
  /** The session's. */
  title?: string;
  composition?: string;
  /** Byte offset of the first match in the session's original. */
  src?: number;
  matches: number;
};

/** More than anybody opens one by one. */
const MOST_FOUND = 200;

type SessionNames = { titles: Map<string, string>; byRefined: Map<string, string> };

/** The findings by what they belong to, most matches first: a reader can open each. */
export function foundIn(world: World, manifests: readonly Manifest[], { files }: Wiped): PurgeFind[] {
  const known = new Map<string, SessionNames>(
    manifests.map((manifest) => [manifest.projectId, namesOf(manifest)]),
  );
  const found = new Map<string, PurgeFind>();
  for (const { path, matches, first } of files) {
    const inside = insideArchive(world, path);
    const [, projectId, rest] = /^projects\/([^/]+)\/(.+)$/.exec(inside ?? '') ?? [];
    const names = projectId === undefined ? undefined : known.get(projectId);
    if (projectId === undefined || rest === undefined || !names) continue;
    const one = ownerOf(rest, names);
    const kind = kindOfFile(inside);
    const key = JSON.stringify([kind, projectId, one]);
    const before = found.get(key);
    const src = rest === `originals/${one.sessionId}.jsonl` ? first : before?.src;
    found.set(key, {
      kind,
      projectId,
      ...one,
      ...(src === undefined ? {} : { src }),
      matches: (before?.matches ?? 0) + matches,
    });
  }
  return [...found.values()].sort((a, b) => b.matches - a.matches).slice(0, MOST_FOUND);
}

function namesOf({ sessions }: Manifest): SessionNames {
  const titles = new Map<string, string>();
  const byRefined = new Map<string, string>();
  for (const session of Object.values(sessions)) {
    const { sessionId, l1 } = session;
    titles.set(sessionId, sessionTitle(session)?.trim() || sessionId.slice(0, 8));
    if (l1.file !== '') byRefined.set(withoutEnding(l1.file), sessionId);
  }
  return { titles, byRefined };
}

/** Whose a file is: `originals/ID.jsonl`, `summaries/ID/...`, `memory/sessions/DAY_ID.l1.jsonl`, `composed/NAME/...`. */
function ownerOf(
  file: string,
  { titles, byRefined }: SessionNames,
): Pick<PurgeFind, 'sessionId' | 'title' | 'composition'> {
  const [folder = '', second = ''] = file.split('/');
  if (folder === 'composed') return { composition: second };
  const sessionId = byRefined.get(withoutEnding(file)) ?? second.replace(/\.jsonl.*$/, '');
  const title = titles.get(sessionId);
  return title === undefined ? {} : { sessionId, title };
}

function withoutEnding(file: string): string {
  return file.replace(/(\/[^/.]+)\.[^/]*$/, '$1');
}
