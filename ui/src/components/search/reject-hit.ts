import { callApi } from '../../api/call-api.ts';
import { notify } from '../../state/toasts.ts';
import type { Hit } from './hit-place.ts';

/** Says that a message is not true: no layer states it, and searches show that. `show` gets its mark, and none once undone. */
export async function rejectHit(hit: Hit, show: (verdict: string | undefined) => void): Promise<void> {
  const { project, sessionId, src } = hit;
  const { id } = await callApi('post /api/memory/search/reject', {
    body: { project, sessionId, src, note: '' },
  });
  show('rejected');
  notify('Rejected: memory no longer states it.', async () => {
    await callApi('post /api/memory/facts/{factId}/undo', { params: { factId: id }, query: { project } });
    show(undefined);
  });
}
