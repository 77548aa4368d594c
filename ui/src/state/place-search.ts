import { computed, shallowRef } from 'vue';
import { callApi } from '../api/call-api.ts';
import { type ApiProblem, isAborted, problemFrom } from '../api/problem.ts';
import type { Job } from '../api/records.ts';
import { foundText, type PurgeAnswer } from '../components/maintenance/found-places.ts';
import { jobEnd, jobs, runJob } from './jobs.ts';
import { notify, reportProblem } from './toasts.ts';

type Body = { session?: string; message?: string; text?: string; secret?: string; project?: string };
/** A search for what shall be purged: it goes on, and its outcome stays, while another view is open. */
export type PlaceSearch = {
  /** What was asked for, in words that may be shown. */
  about: string;
  /** What to purge then; undefined where only the server knows it. */
  body?: Body;
  plan?: PurgeAnswer;
  /** Why it found nothing out. */
  problem?: ApiProblem;
};

export const isSearching = (of: PlaceSearch | undefined) =>
  of !== undefined && of.plan === undefined && of.problem === undefined;

const LOOKING = 'plan purge';
export const placeSearch = shallowRef<PlaceSearch>();
/** The view that shows it is open: no message is needed at its end. */
let isShown = false;

export const searchJob = computed((): Job | undefined =>
  [...jobs.values()].findLast((it) => it.kind === LOOKING && it.endedAt === null),
);

export function showPlaceSearch(now: boolean): void {
  isShown = now;
}

/** Searches for every place of it; changes nothing. */
export async function startPlaceSearch(about: string, body: Body): Promise<void> {
  await follow({ about, body }, () => runJob('post /api/memory/purge', { body: { ...body, dryRun: true } }));
}

/** After a reload: one that still runs, or whose end a message led here. */
export async function resumePlaceSearch(jobId: string): Promise<void> {
  if (placeSearch.value) return;
  const { items } = await callApi('get /api/memory/jobs');
  const job = items.find((it) =>
    jobId === '' ? it.kind === LOOKING && it.endedAt === null : it.jobId === jobId && it.result !== null,
  );
  if (job) await follow({ about: job.subject }, async () => (await jobEnd(job)) as PurgeAnswer);
}

async function follow(look: PlaceSearch, run: () => Promise<PurgeAnswer>): Promise<void> {
  placeSearch.value = look;
  try {
    const plan = await run();
    // Another search may have taken its place.
    if (placeSearch.value !== look) return;
    placeSearch.value = { ...look, plan };
    if (!isShown)
      notify(`${foundText(plan)} Looked for ${look.about}.`, {
        title: 'Open',
        to: { name: 'care', query: { tab: 'purge' } },
      });
  } catch (error) {
    if (placeSearch.value !== look) return;
    const problem = isAborted(error) ? undefined : problemFrom(error);
    // Beside what was asked for it stays until it is read.
    const stays = isShown && problem !== undefined && problem.code !== 'cancelled';
    placeSearch.value = stays ? { ...look, problem } : undefined;
    if (problem && !stays) reportProblem(problem);
  }
}
