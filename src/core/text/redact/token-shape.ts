/** A token by the shape of its value alone. */
export type TokenShape = readonly [
  kind: string,
  /** Four characters that every such value has, or three after one that ends a word (`^`); each may be a `[class]`. */
  anchor: string,
  /** How far into the value the anchor is. */
  back: number,
  pattern: string,
];

export const ALNUM = '[A-Za-z0-9]';
export const WORD = '[A-Za-z0-9_-]';
export const HEX = '[a-f0-9]';
export const UUID = '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}';
/** And it ends here. */
export const END = '(?![A-Za-z0-9_-])';
/** Some digit among the next ones: no word has one. */
export const DIGIT = '(?=[A-Za-z_-]{0,64}[0-9])';
