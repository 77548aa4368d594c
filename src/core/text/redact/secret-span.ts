/** What is to be replaced; `end` is exclusive. */
export type SecretSpan = { start: number; end: number; kind: string };

/**
 * A value-shaped rule behind a cheap test. `anchors` are four characters each, every one a literal or a `[class]`, that
 * any value of this kind must show; `find` looks closer where one is.
 */
export type RedactRule = {
  anchors: readonly string[];
  /** `at` is where the anchor is, -1 when its first character would be before the text. In order, no overlap. */
  find(text: string, at: number): SecretSpan[];
  /** Decides by the name next to the value: a rule that recognizes the value itself is more precise. */
  byName?: true;
};

/** Both cases of an anchor's letters. */
export function anyCase(anchor: string): string {
  return anchor.replace(/\[[^\]]+\]|[a-z]/gi, (part) =>
    part.length > 1 ? part : `[${part.toLowerCase()}${part.toUpperCase()}]`,
  );
}

/** A token starts here: not inside a word, but the letter of an escaped line break may be before it. */
export const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;
