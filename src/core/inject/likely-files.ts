/** The files that a session changed, and whether it ran in the folder that is asked for. */
export type ChangedFiles = { files: readonly string[]; here: boolean };

/** How much less a session counts than the one after it. */
const FADING = 0.93;
/** How much more the sessions of the same folder count: a worktree is often one task. */
const SAME_FOLDER = 2;

/** The files that are likely to be changed next, the likeliest first: those that many sessions changed, lately. */
export function likelyFiles(newestFirst: readonly ChangedFiles[], most: number): string[] {
  const scores = new Map<string, number>();
  let weight = 1;
  for (const { files, here } of newestFirst) {
    if (files.length === 0) continue;
    for (const file of new Set(files))
      scores.set(file, (scores.get(file) ?? 0) + weight * (here ? SAME_FOLDER : 1));
    weight *= FADING;
  }
  return [...scores]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([file]) => file);
}
