export type NamedProject = {
  projectId: string;
  displayName: string;
  originalPath: string;
  /** Its folders, by their own ids. */
  folders?: readonly { projectId: string }[];
};

/**
 * What each project is called in a list. Where a name is there twice, or says nothing (`2`), folders before it show
 * which one it is: as few as are needed.
 */
export function projectNames(projects: readonly NamedProject[]): Map<string, string> {
  const groups = new Map<string, NamedProject[]>();
  for (const project of projects) {
    const group = groups.get(project.displayName);
    if (group) group.push(project);
    else groups.set(project.displayName, [project]);
  }
  const names = new Map<string, string>();
  for (const [name, group] of groups)
    for (const project of group)
      for (const { projectId } of [project, ...(project.folders ?? [])])
        names.set(projectId, group.length === 1 && /\p{L}/u.test(name) ? name : fullName(project, group));
  return names;
}

/** The project that a folder belongs to, as lists know it; the id itself where none does. */
export function projectOf(projects: readonly NamedProject[], id: string): string {
  const owner = projects.find(
    (it) => it.projectId === id || it.folders?.some(({ projectId }) => projectId === id),
  );
  return owner?.projectId ?? id;
}

function fullName(project: NamedProject, group: readonly NamedProject[]): string {
  const { displayName, originalPath } = project;
  const folders = foldersOf(originalPath);
  const others = group.filter((it) => it !== project).map((it) => foldersOf(it.originalPath));
  let count = 1;
  while (count < folders.length) {
    const tail = folders.slice(-count);
    const isNamed = tail.some((folder) => /^[^.].*\p{L}|^\p{L}/u.test(folder));
    if (isNamed && !others.some((other) => other.slice(-count).join('/') === tail.join('/'))) break;
    count++;
  }
  const place = folders.slice(-count).join('/');
  // A name that was given by hand is no folder.
  return folders.at(-1) === displayName ? place : place === '' ? displayName : `${displayName} (${place})`;
}

function foldersOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((folder) => folder !== '');
}
