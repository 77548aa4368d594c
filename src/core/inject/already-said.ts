/** Fewer words than this may be anywhere. */
const LEAST_WORDS = 4;

/** Who said a line, or what it is, before it; statements name both: `decided: User: "..."`. */
const SPEAKER = /^\s*(?:[a-z][a-z ]{0,30}: *){1,2}/i;

/** Leaves out the lines of a text that the agent's own instructions hold word for word; empty where nothing is left. */
export function withoutSaid(text: string, instructions: string): string {
  if (instructions === '') return text;
  const known = ` ${wordsIn(instructions).join(' ')} `;
  const isSaid = (line: string) => {
    return [line, line.replace(SPEAKER, '')].some((own) => {
      const words = wordsIn(own);
      return words.length >= LEAST_WORDS && known.includes(` ${words.join(' ')} `);
    });
  };
  const lines = text.split('\n');
  const left = lines.filter((line) => !isSaid(line));
  return left.length === lines.length ? text : left.join('\n').trim();
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
