import type { Outcomes, Version } from '../../api/records.ts';
import { runJob } from '../../state/jobs.ts';

type Ref = { sessionId: string; projectId: string };
type Outcome = Outcomes['items'][number];

/** Deleted versions made again from their settings; the ids of those that would come out another way and were left. */
export async function makeAgain(ref: Ref, versions: readonly Version[]): Promise<string[]> {
  const others = await differing(ref, versions);
  for (const version of versions) if (!others.includes(version.versionId)) await make(ref, version, false);
  return others;
}

/** Versions that their settings no longer give: a model wrote them, or keepits, title or rules changed since. */
export async function differing(ref: Ref, versions: readonly Version[]): Promise<string[]> {
  const others: string[] = [];
  for (const version of versions) {
    const offline = version.settings.model === 'extractive';
    const same = offline && (await make(ref, version, true)).some((it) => isSame(it, version));
    if (!same) others.push(version.versionId);
  }
  return others;
}

/** Whether an outcome, also of a dry run, is the existing version. */
export function isSame(
  outcome: Outcome,
  version: Pick<Version, 'part' | 'engine' | 'inputHash' | 'settings'>,
): boolean {
  return (
    outcome.part === version.part &&
    outcome.engine === version.engine &&
    outcome.inputHash === version.inputHash &&
    inOrder(outcome.settings) === inOrder(version.settings)
  );
}

/** The same for the same content, whatever the order of its names. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) =>
    it !== null && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

async function make(ref: Ref, { part, settings }: Version, dryRun: boolean): Promise<Outcome[]> {
  const where = { params: { sessionId: ref.sessionId }, query: { project: ref.projectId } };
  const body = { keepit: settings.keepitMode, part, force: true, dryRun };
  const { items } = settings.choices
    ? await runJob('post /api/memory/sessions/{sessionId}/versions/manual', {
        ...where,
        body: { ...body, choices: settings.choices },
      })
    : await runJob('post /api/memory/sessions/{sessionId}/versions', {
        ...where,
        body: { ...body, ...askOf(settings) },
      });
  return items;
}

function askOf(settings: Version['settings']) {
  const { compactionRatio, aggressiveness, tierPreset, customTiers } = settings;
  const uniform = {
    mode: 'uniform' as const,
    ratio: compactionRatio ?? 1,
    ...(aggressiveness ? { aggressiveness } : {}),
  };
  const tiers =
    tierPreset === undefined || tierPreset === 'custom'
      ? { tiers: customTiers ?? [] }
      : { preset: tierPreset };
  return {
    ...(settings.mode === 'uniform' ? uniform : { mode: 'tiered' as const, ...tiers }),
    distance: settings.sessionDistance,
    skipFirst: settings.skipFirstMessages,
    telegraphic: settings.telegraphic,
    model: settings.model,
  };
}
