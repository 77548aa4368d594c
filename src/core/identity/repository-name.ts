/** Numbers, random ids, and what every worktree may be called. */
const SAYS_NOTHING =
  /^(?:\d+|(?=[^\d]*\d)[0-9a-f]{4,40}|[0-9a-f]{8}-[0-9a-f-]{27}|(?:worktree|wt|task|agent|copy|tmp|temp)[-_.]?\d*|tmp\.\w{6,12}|main|master|trunk|repo|repository|checkout)$/i;

/** Whether a folder's name is too general to identify its project. */
export function isVagueName(name: string): boolean {
  return SAYS_NOTHING.test(name.trim());
}

/** The name of a repository as its address has it; undefined where the identity is not one for people. */
export function repositoryName(identity: string): string | undefined {
  if (/^(?:root|local|folder|split):/.test(identity)) return undefined;
  const [repository = '', scope] = identity.split('#');
  return (scope ?? repository)
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .at(-1);
}

/** The checkout that a folder is a worktree of, by where agents put them; undefined for any other folder. */
export function checkoutAround(path: string): string | undefined {
  return /^(.+?)[/\\](?:\.worktrees|\.claude[/\\]worktrees)[/\\][^/\\]/.exec(path)?.[1];
}
