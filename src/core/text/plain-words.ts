/** Plain characters, and ranges of signs that hold no letter, digit or mark. */
const PLAIN = /^[\0-\x7f\u2000-\u206f\u2190-\u23ff\u2500-\u2775\u2794-\u27bf]*$/;

/** Whether all letters and digits of a text are plain ones: Unicode's classes take milliseconds to build, and most texts need none of them. */
export function hasPlainWords(text: string): boolean {
  return PLAIN.test(text);
}
