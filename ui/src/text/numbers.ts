const WHOLE = new Intl.NumberFormat('en');

/** `100,234`. */
export function wholeNumber(value: number): string {
  return WHOLE.format(Math.round(value));
}

/** `950`, `10k`, `1.2M`: for places where there is little room. */
export function shortNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_500) return `${value < 9950 ? trimmed(value / 1000) : Math.round(value / 1000)}k`;
  return `${value < 99_500_000 ? trimmed(value / 1_000_000) : Math.round(value / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

/** `1 session`, `2 sessions`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? one : many}`;
}

/** `12.4 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A text of the server, its figures before `tokens` with separators: `103,881 to 3,446 tokens`. */
export function separated(text: string): string {
  return text.replace(/\b\d{4,}(?= tokens\b| (?:to|of) \d+ tokens\b)/g, (digits) =>
    wholeNumber(Number(digits)),
  );
}

/** `4.2:1`. */
export function ratioText(ratio: number): string {
  return `${ratio < 10 ? trimmed(ratio) : Math.round(ratio)}:1`;
}
