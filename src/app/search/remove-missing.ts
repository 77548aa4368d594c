import type { SourceKind } from '../../core/model/search.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';

type Sources = { project: string; kinds: readonly SourceKind[] };

/** Removes from the index what a project no longer has of some kinds. `known`: existing documents, by `project/kind/name`. */
export async function removeMissing(
  index: SearchIndex,
  { project, kinds }: Sources,
  cursors: ReadonlyMap<string, IndexCursor>,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const kind of kinds) {
    const below = `${project}/${kind}/`;
    for (const key of cursors.keys())
      if (key.startsWith(below) && !known.has(key))
        await index.remove(project, kind, key.slice(below.length));
  }
}
