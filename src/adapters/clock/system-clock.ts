import type { Clock } from '../../ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  millis: () => Date.now(),
  local(iso) {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return iso;
    const two = (value: number) => String(value).padStart(2, '0');
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
  },
};
