/** Where a command ends and another one begins. */
const ENDS = /^(?:&&|\|\||[;|\n&]|\d?>)/;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '', f: '', v: '' };

/** The words of the command that a text begins with, up to the next operator, as a shell hands them over: quotes taken off. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    if (ENDS.test(rest)) break;
    // A line continuation is white space, like any other.
    const part =
      /^(?!\\\n)(?:\$'(?:[^'\\]|\\[\s\S])*'?|\$?"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?|\\[\s\S]|[^\s"'\\;&|]+)/.exec(
        rest,
      )?.[0];
    if (part !== undefined) word = (word ?? '') + withoutQuotes(part);
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
    at += part?.length ?? (rest.startsWith('\\\n') ? 2 : 1);
  }
  return word === undefined ? words : [...words, word];
}

/** A quoted piece of a command as the shell hands it over: `$'a\nb'` has two lines. */
export function withoutQuotes(part: string): string {
  if (part.startsWith("$'")) return ansi(within(part.slice(1)));
  if (/^\$?"/.test(part))
    return within(part.replace(/^\$/, '')).replace(/\\(["\\$`\n])/g, (_, own) => (own === '\n' ? '' : own));
  if (part.startsWith("'")) return within(part);
  return part.replace(/^\\([\s\S])$/, '$1');
}

/** The closing quote is missing where a command was cut. */
function within(quoted: string): string {
  const quote = quoted[0]!;
  return quoted.length > 1 && quoted.endsWith(quote) ? quoted.slice(1, -1) : quoted.slice(1);
}

function ansi(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([\s\S]))/gi, (_, byte, unit, own) => {
    if (byte ?? unit) return String.fromCharCode(Number.parseInt(byte ?? unit, 16));
    return Object.hasOwn(ESCAPES, own) ? ESCAPES[own]! : own;
  });
}
