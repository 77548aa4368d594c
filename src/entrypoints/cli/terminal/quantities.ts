/** `12 345` would be two words to a program: commas, as the figures are for reading. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `999`, `12.3k`, `4.5M` */
export function shortCount(value: number): string {
  if (value < 1000) return String(value);
  const [size, sign] = value < 999_950 ? [1e3, 'k'] : value < 999_950_000 ? [1e6, 'M'] : [1e9, 'G'];
  return `${(value / (size as number)).toFixed(1)}${sign}`;
}

/** `512 B`, `1.4 MB`; thousands as in file managers and data sheets. */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

export function seconds(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const whole = Math.max(0, Math.round(value));
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`;
}

/** `1 session`, `2 sessions` */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
