/** What is to be replaced; `end` is exclusive. */
export type Span = { start: number; end: number; kind: string };

/**
 * A value-shaped rule behind a cheap test. `anchors` are four characters each, every one a literal or a `[class]`, that
 * any value of this kind must show; `find` looks closer where one stands.
 */
export type Rule = {
  anchors: readonly string[];
  find(text: string, at: number): Span[];
};

/** Both cases of an anchor's letters. */
export function anyCase(anchor: string): string {
  return anchor.replace(/\[[^\]]+\]|[a-z]/gi, (part) =>
    part.length > 1 ? part : `[${part.toLowerCase()}${part.toUpperCase()}]`,
  );
}
