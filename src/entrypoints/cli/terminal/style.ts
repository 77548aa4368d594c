/** Colors by meaning; each gives the text as it is where there is no color. */
export type Style = {
  strong(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
  accent(text: string): string;
};

export function styleFor(color: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    strong: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    warn: paint(33, 39),
    bad: paint(31, 39),
    accent: paint(36, 39),
  };
}
