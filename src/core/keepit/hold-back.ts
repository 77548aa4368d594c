/** What a marker must not merely repeat: its sentences and its runs of words, ready to be looked for. */
export type Echo = { needles: { words: string; longest: string }[] };

/** Five words in a row are no accident. */
const RUN = 5;

export function echoOf(content: string): Echo {
  const runs = new Set<string>();
  const words = wordsOf(content);
  if (words.length <= RUN) runs.add(words.join(' '));
  for (let at = 0; at + RUN <= words.length; at++) runs.add(words.slice(at, at + RUN).join(' '));
  return {
    needles: [...runs].filter(Boolean).map((run) => ({ words: ` ${run} `, longest: longestOf(run) })),
  };
}

/**
 * Whether a tool result shows what a marker says: any five words of it in a row, or the whole of a shorter one, in any
 * case and with any marks between them. Such a marker of the assistant waits for the user's word: it may be a page that
 * wants to be remembered. A paraphrase is not seen.
 */
export function showsEcho(text: string, echo: Echo): boolean {
  return echoFinder(text)(echo);
}

/** The same for many markers: a result is taken apart once. */
export function echoFinder(text: string): (echo: Echo) => boolean {
  const lower = text.toLowerCase();
  let words: string | undefined;
  return ({ needles }) => {
    const possible = needles.filter(({ longest }) => lower.includes(longest));
    if (possible.length === 0) return false;
    words ??= ` ${wordsOf(lower).join(' ')} `;
    return possible.some((needle) => words!.includes(needle.words));
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function longestOf(run: string): string {
  return run.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}
