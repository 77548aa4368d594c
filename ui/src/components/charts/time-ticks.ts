/** Which bars get a date below them: as many as there is room for, evenly, always the first one. */
export function timeTicks(bars: number, width: number, tick = 88): number[] {
  if (bars === 0) return [];
  const room = Math.max(1, Math.floor(width / tick));
  const step = Math.max(1, Math.ceil(bars / room));
  return Array.from({ length: Math.ceil(bars / step) }, (_, at) => at * step);
}
