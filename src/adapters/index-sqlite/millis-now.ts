/** Milliseconds of a clock that never goes back. Not `performance`: to load it takes longer than most writes. */
export function millisNow(): number {
  return process.uptime() * 1000;
}
