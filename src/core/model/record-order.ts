/** What orders the edits of several archives: a hybrid logical clock, then the device. Kept apart from zod: hooks sort, too. */
export type Stamped = {
  /** UTC, ISO: the clock on the wall when it was made. */
  at: string;
  /** Milliseconds: higher than that of every edit its maker had seen. Absent in edits of older versions. */
  hlc?: number | undefined;
  /** Id of the archive it was made in. */
  device?: string | undefined;
  /** Whose edit it is; absent: this user's. */
  author?: string | undefined;
};
export type Stamp = { hlc: number; device: string };

/** Of an edit without one it follows from its time, so that every archive orders it alike. */
export function hlcOf({ hlc, at }: Stamped): number {
  return hlc ?? (Date.parse(at) || 0);
}

/** The stamp of one more edit: after every edit of this user's that is known, whatever the clock says. */
export function nextStamp(latest: number, wall: number, device: string): Stamp {
  return { hlc: Math.max(0, Math.floor(wall), latest + 1), device };
}

/** The highest clock of this user's edits; -1 if there is none. */
export function latestOf(edits: Iterable<Stamped>): number {
  let latest = -1;
  for (const edit of edits) if (edit.author === undefined) latest = Math.max(latest, hlcOf(edit));
  return latest;
}

/** By clock, then device, then id: the same list for the same set, however it came together. */
export function inRecordOrder<R extends Stamped>(records: readonly R[], idOf: (record: R) => string): R[] {
  const keyed = records.map((record) => ({
    record,
    hlc: hlcOf(record),
    device: record.device ?? '',
    id: idOf(record),
  }));
  keyed.sort((a, b) => a.hlc - b.hlc || compare(a.device, b.device) || compare(a.id, b.id));
  return keyed.map(({ record }) => record);
}

/** Only what this user did: edits of others are kept and change nothing. */
export function userEdits<R extends { editId: string } & Stamped>(edits: readonly R[] = []): R[] {
  return inRecordOrder(
    edits.filter(({ author }) => author === undefined),
    ({ editId }) => editId,
  );
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
