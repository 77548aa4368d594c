const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g;
const ASSIGNED = /^[A-Za-z_]\w*=/;
/** They run what comes behind them. */
const RUNNERS = new Set(['sudo', 'time', 'nohup', 'command', 'exec']);

/** One program of a shell command, with its words. Quoted text is one word without its blanks. */
export type CommandSegment = { program: string; words: string[] };

/** The programs that a shell command starts, each with its words; quoted text and here-documents start none. */
export function commandSegments(command: string): CommandSegment[] {
  const [line = ''] = command.split(/<<-?\s*['"]?\w+/);
  return line
    .replace(QUOTED, (text) => (/^.[\w./:@=,+-]+.$/.test(text) ? text.slice(1, -1) : '_'))
    .split(/&&|\|\||[;|\n]|(?<=\s)&(?=\s)/)
    .flatMap((part) => {
      const words = part
        .replace(/^[\s(]+|[\s)]+$/g, '')
        .split(/\s+/)
        .filter((word) => word !== '');
      while (words.length > 0 && (ASSIGNED.test(words[0]!) || RUNNERS.has(words[0]!))) words.shift();
      return words.length === 0 ? [] : [{ program: words[0]!, words }];
    });
}

/** Programs whose commands have two words: `gh pr diff`. */
const TWO_WORDS = new Set(['gh', 'docker', 'kubectl', 'aws', 'gcloud', 'az', 'helm']);

/** The first word behind the program that is no flag: `test` of `cargo --quiet test x`. */
export function subcommandOf({ program, words }: CommandSegment): string {
  const plain = words.slice(1).filter((word) => !word.startsWith('-'));
  return plain.slice(0, TWO_WORDS.has(program) ? 2 : 1).join(' ');
}
