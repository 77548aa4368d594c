import { computed } from 'vue';
import { callApi } from '../api/call-api.ts';
import { useSessionPage } from './session-page.ts';
import { useLoaded } from './use-loaded.ts';

/** The session whose page this is, with its versions: loaded again when something about it changes. */
export function useSessionVersions() {
  const { session, reload } = useSessionPage();
  const ref = computed(() => ({
    sessionId: session.value?.sessionId ?? '',
    projectId: session.value?.projectId ?? '',
  }));
  /** As its routes want it. */
  const where = computed(() => ({
    params: { sessionId: ref.value.sessionId },
    query: { project: ref.value.projectId },
  }));
  const versions = useLoaded(
    (signal) => callApi('get /api/memory/sessions/{sessionId}/versions', { ...where.value, signal }),
    () => session.value,
  );
  const all = computed(() => versions.data.value?.parts.flatMap((part) => part.versions) ?? []);
  return { session, reload, ref, where, versions, all };
}
