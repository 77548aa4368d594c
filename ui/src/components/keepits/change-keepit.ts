import { callApi } from '../../api/call-api.ts';
import { ApiProblem } from '../../api/problem.ts';
import { notify } from '../../state/toasts.ts';
import type { Editing } from './editing.ts';

type Ref = { sessionId: string; projectId: string };
type Marked = { markerId: string; weight: number };
type Weighed = { weight: number; writeOriginal?: boolean };
type Again = () => Promise<void>;

const at = (ref: Ref, markerId: string) => ({
  params: { sessionId: ref.sessionId, markerId },
  query: { project: ref.projectId },
});

/** Keeps words of a message; undo takes the marker out again. */
export async function keepWords(
  ref: Ref,
  editing: Editing,
  { weight, ...more }: Weighed,
  again: Again,
): Promise<void> {
  const { text = '', range, src } = editing;
  const words = text.slice(range?.start, range?.end).trim();
  const place = src === undefined ? {} : { src };
  const keep = (what: { text: string } | { range: { start: number; end: number } }) =>
    callApi('post /api/memory/sessions/{sessionId}/keepits', {
      params: { sessionId: ref.sessionId },
      query: { project: ref.projectId },
      body: { weight, ...place, ...what, ...more },
    });
  const made = await keep({ text: words }).catch((error: unknown) => {
    // The same words are twice in this message: their place distinguishes them.
    if (error instanceof ApiProblem && error.code === 'ambiguous' && range) return keep({ range });
    throw error;
  });
  notify(`Kept with the weight ${weight.toFixed(2)}.`, async () => {
    await callApi('delete /api/memory/sessions/{sessionId}/keepits/{markerId}', at(ref, made.markerId));
    await again();
  });
}

export async function changeWeight(
  ref: Ref,
  marker: Marked,
  { weight, ...more }: Weighed,
  again: Again,
): Promise<void> {
  const put = (value: number) =>
    callApi('put /api/memory/sessions/{sessionId}/keepits/{markerId}', {
      ...at(ref, marker.markerId),
      body: { weight: value, ...more },
    });
  await put(weight);
  notify(`The weight is ${weight.toFixed(2)} now. Versions that exist stay as they are.`, async () => {
    await put(marker.weight);
    await again();
  });
}

/** The words become plain text; undo gives the marker back. */
export async function removeMarker(ref: Ref, marker: Marked, again: Again): Promise<void> {
  await callApi('delete /api/memory/sessions/{sessionId}/keepits/{markerId}', at(ref, marker.markerId));
  notify('No longer kept.', async () => {
    await callApi('put /api/memory/sessions/{sessionId}/keepits/{markerId}', {
      ...at(ref, marker.markerId),
      body: { weight: marker.weight },
    });
    await again();
  });
}

export async function confirmMarker(ref: Ref, marker: Marked): Promise<void> {
  await callApi('post /api/memory/sessions/{sessionId}/keepits/{markerId}/confirm', at(ref, marker.markerId));
  notify('Confirmed: it counts from now on.');
}
