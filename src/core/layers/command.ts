/** Programs that only read or move files: whether they pass says nothing about the work. */
const PASSIVE = new Set(
  (
    'ls cat head tail less more grep rg ag find fd sed awk echo printf cd pwd which type whereis git gh wc sort uniq cut tr jq ' +
    'mkdir rm rmdir mv cp ln chmod chown touch kill pkill sleep diff tree stat file du df ps env export source open code date ' +
    'whoami true false test [ read set xargs tee curl wget ssh scp'
  ).split(' '),
);

const ASSIGNED = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|(?!\$\()\S*)\s+)+/;
const REDIRECTED = /\s*(?:\d?>&\d|&?\d?>>?\s*\S+|<\s*\S+)/g;
/** What only shows part of the output. */
const SHOWN = /\s*\|\s*(?:tail|head|grep|less|more|cat|tee|wc|sort|sed|awk|rg)\b.*$/;

/** The status, the command's own echo, the names of tests that begin. */
const NO_REASON =
  /^(?:Exit code \d+$|\[\S+\] \$|\$ |> |===|\?\s|ok\s|PASS|--- PASS|#|\[\S+\] ERROR task failed)/;
const REASON =
  /error|fail|cannot|can't|not found|no such|undefined|panic|exception|expected|unknown|invalid|denied|missing/i;

/** `src/a.go:12:3: ...`, `src/a.ts(12,3): ...`: what a compiler or a linter says of a place. */
const PLACED = /^\S+\.\w{1,5}(?::\d+|\(\d+)\S*\s+\S/;

const WARNS = /\bwarn(?:ing)?\b(?!.*\berror\b)/i;

export type Command = {
  /** The same for two runs that mean the same. */
  name: string;
  /** Its own exit status is hidden behind a pipe or `|| true`: that it passed is not known. */
  masked: boolean;
};

/** A shell command as it is compared: without the folder, variables, redirections and what only shows its output. */
export function commandOf(text: string): Command {
  let plain = text.trim();
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/^cd\s+(?:'[^']*'|"[^"]*"|\S+)\s*(?:&&|;)\s*/, '').replace(ASSIGNED, '');
  }
  const masked = SHOWN.test(plain) || /\|\||;\s*(?:echo|true)\b/.test(plain);
  const name = plain
    .replace(SHOWN, '')
    .replace(/\s*(?:\|\||;)\s*(?:echo|true)\b.*$/, '')
    .replace(REDIRECTED, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { name, masked };
}

/** Whether a command does work that can pass or fail: a test, a build, a check, a program. */
export function doesWork(name: string): boolean {
  const program = /^(?:sudo |time |npx |bunx )*(\S+)/.exec(name)?.[1] ?? '';
  const bare = program.split('/').at(-1) ?? '';
  return /^[\w.@:+-]+$/.test(bare) && !PASSIVE.has(bare) && !name.includes('…') && name.length <= 200;
}

const LOOKS =
  /^(?:\S+ )(?:status|list|ls|show|info|logs?|view|describe|get|whoami|ps|help|version|doctor|diff)\b|\s(?:--help|-h|--version|help)$/;

/** Whether a command of a program only shows something: that it passed says nothing about how a project is worked on. */
export function onlyShows(name: string): boolean {
  return LOOKS.test(name);
}

/** What went wrong, without what differs from run to run: numbers, times, hashes, places. */
export function errorName(result: string): string {
  const lines = linesWithWords(result);
  return nameOfLine(lines.find((line) => REASON.test(line)) ?? lines[0] ?? '');
}

/** The same of every line that says what went wrong. */
export function errorNames(result: string): string[] {
  const reasons = linesWithWords(result).filter(
    (line) => (REASON.test(line) || PLACED.test(line)) && !WARNS.test(line),
  );
  return [...new Set(reasons.map(nameOfLine))];
}

function linesWithWords(result: string): string[] {
  return result
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !NO_REASON.test(line));
}

function nameOfLine(reason: string): string {
  return reason
    .replace(/[\w.@+~-]*(?:\/[\w.@+-]+){2,}/g, (path) => path.slice(path.lastIndexOf('/') + 1))
    .replace(/\b[0-9a-f]{7,}\b/gi, '#')
    .replace(/\d+(?:[.:]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .slice(0, 120)
    .trim();
}
