import type { FollowedSegment, HubSegment } from '../../ports/hub-database.ts';

/** When something was in the repository first. */
export type Since = ReadonlyMap<string, number>;

/** Places and devices, also of segments that were deleted or replaced since. */
export function sinceWhen(rows: readonly HubSegment[]): Since {
  const since = new Map<string, number>();
  for (const row of rows)
    for (const key of [row.device, placeOfRow(row)])
      since.set(key, Math.min(since.get(key) ?? row.position, row.position));
  return since;
}

export function placeOfRow({ device, lane, seq }: HubSegment): string {
  return `${device}/${lane}/${seq}`;
}

/** What a device wrote, in its order; who was there first comes first. Originals are not needed. */
export function segmentsInOrder(rows: readonly FollowedSegment[], since: Since): FollowedSegment[] {
  const byDevice = (a: HubSegment, b: HubSegment) =>
    a.device === b.device
      ? a.seq - b.seq || a.position - b.position
      : since.get(a.device)! - since.get(b.device)!;
  return rows.filter(({ lane, gone }) => lane !== 'bytes' && !gone).sort(byDevice);
}
