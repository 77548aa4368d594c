/** A stretch of a text, end exclusive. */
export type TextRange = [start: number, end: number];
