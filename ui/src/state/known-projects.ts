import { shallowRef } from 'vue';
import { callApi } from '../api/call-api.ts';
import { type NamedProject, projectNames } from '../text/project-names.ts';
import { allPages } from './all-pages.ts';

/** What each project is called, everywhere on the page: by its short name, longer only where two are alike. */
const names = shallowRef<ReadonlyMap<string, string>>(new Map());
let asked: Promise<unknown> | undefined;

/** Whoever loads the whole list says so: nobody has to ask again. */
export function noteProjects(projects: readonly NamedProject[]): void {
  asked ??= Promise.resolve();
  names.value = projectNames(projects);
}

/** As it is called in every list; `otherwise` until the list is known. */
export function nameOfProject(projectId: string, otherwise: string): string {
  return names.value.get(projectId) ?? otherwise;
}

/** For views that name projects and do not load the list themselves. */
export async function learnProjects(): Promise<void> {
  asked ??= allPages((after) => callApi('get /api/memory/projects', { query: { limit: 1000, after } })).then(
    ({ items }) => noteProjects(items),
    // Without it the names of the answers stay; the next view asks again.
    () => {
      asked = undefined;
    },
  );
  await asked;
}
