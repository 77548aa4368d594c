/** What a day added to memory. */
export type GrowthDay = {
  day: string;
  rules: number;
  decisions: number;
  facts: number;
  keepits: number;
  /** Of the originals of the sessions that began then. */
  bytes: number;
};

export type GrowthSource = {
  /** With the time at which each was first said. */
  facts: Iterable<{ kind: string; time: string }>;
  keepits: Iterable<{ time: string }>;
  sessions: Iterable<{ time: string; bytes: number }>;
};

/** Facts, keepits and bytes by the day they are of, oldest first; days without any are left out. */
export function growthByDay(
  { facts, keepits, sessions }: GrowthSource,
  dayOf: (time: string) => string,
): GrowthDay[] {
  const days = new Map<string, GrowthDay>();
  const at = (time: string): GrowthDay | undefined => {
    if (Number.isNaN(Date.parse(time))) return undefined;
    const day = dayOf(time);
    const known = days.get(day) ?? { day, rules: 0, decisions: 0, facts: 0, keepits: 0, bytes: 0 };
    days.set(day, known);
    return known;
  };
  for (const { kind, time } of facts) {
    const day = at(time);
    if (day) day[kind === 'rule' ? 'rules' : kind === 'decision' ? 'decisions' : 'facts']++;
  }
  for (const { time } of keepits) {
    const day = at(time);
    if (day) day.keepits++;
  }
  for (const { time, bytes } of sessions) {
    const day = at(time);
    if (day) day.bytes += bytes;
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
