const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z$/;
/** One more than the greatest value of month, day, hour, minute, second, millisecond. */
const RADIX = [13, 32, 25, 61, 62, 1000];
const WIDTH = [2, 2, 2, 2, 2, 3];

/** A time as one number of six bytes instead of 24; text that is not such a time, after a `t`. */
export function packTime(ts: string): number | string {
  const parts = ISO.exec(ts);
  if (!parts) return `t${ts}`;
  let packed = Number(parts[1]);
  for (const [n, radix] of RADIX.entries()) {
    const part = Number(parts[n + 2]);
    if (part >= radix) return `t${ts}`;
    packed = packed * radix + part;
  }
  return packed;
}

export function unpackTime(packed: number | string): string {
  if (typeof packed === 'string') return packed.slice(1);
  const parts: string[] = [];
  let rest = packed;
  for (let n = RADIX.length - 1; n >= 0; n--) {
    parts.unshift(String(rest % RADIX[n]!).padStart(WIDTH[n]!, '0'));
    rest = Math.floor(rest / RADIX[n]!);
  }
  const [month, day, hour, minute, second, ms] = parts;
  return `${String(rest).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}
