import { hasPlainWords } from '../text/plain-words.ts';

/** Fewer words than this may be anywhere. */
const LEAST_WORDS = 4;

/** The speaker or kind before a line; statements have both: `decided: User: "..."`, those of memory.md are items. */
const SPEAKER = /^\s*(?:- )?(?:[a-z][a-z ]{0,30}(?: \([^)]{0,30}\))?: *){1,2}/i;

/** Words in a row by which a line is known again where it is cut or put another way, and their share in it. */
const RUN = 4;
const MOST_AGAIN = 0.6;
/** Of a longer line, the beginning counts: what begins the same is about the same. */
const BEGINNING = 16;

/** The file before what was written to it. */
const WRITTEN_TO = /^\s*written to ([^\s:]+): /i;

/** The name of the file that a statement was written to. */
export function writtenTo(text: string): string | undefined {
  return WRITTEN_TO.exec(text)?.[1];
}

/** The words of texts that an agent has before it, such as its own instructions. */
export class SaidWords {
  #words = ' ';

  add(text: string): void {
    for (const line of text.split('\n')) for (const word of wordsIn(line)) this.#words += `${word} `;
  }

  /** The text without the lines that these texts hold word for word; empty if nothing is left. */
  leftOf(text: string): string {
    if (this.#words === ' ') return text;
    const lines = text.split('\n');
    const left = lines.filter(
      (line) =>
        !this.#holds(line) &&
        !this.#holds(line.replace(SPEAKER, '')) &&
        !this.#holds(line.replace(WRITTEN_TO, '')),
    );
    return left.length === lines.length ? text : left.join('\n').trim();
  }

  #holds(line: string): boolean {
    const words = wordsIn(line);
    return words.length >= LEAST_WORDS && this.#words.includes(` ${words.join(' ')} `);
  }
}

/** Texts that are shown beside others, to leave out what those say again. */
export class ShownWords {
  readonly #runs = new Set<string>();

  constructor(texts: readonly string[]) {
    for (const text of texts) for (const run of runsIn(text)) this.#runs.add(run);
  }

  /** Whether most of a line, or of its beginning, is in these texts. */
  repeats(line: string): boolean {
    const runs = runsIn(line.replace(SPEAKER, '')).slice(0, BEGINNING);
    const again = runs.filter((run) => this.#runs.has(run));
    return runs.length > 0 && again.length >= MOST_AGAIN * runs.length;
  }
}

function runsIn(text: string): string[] {
  const words = wordsIn(text);
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}

function wordsIn(text: string): string[] {
  const lower = text.toLowerCase();
  return lower.match(hasPlainWords(lower) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}
