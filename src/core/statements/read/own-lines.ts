const LOGGED =
  /^\s*(?:at |---|===|\+\+\+|\d+[:|]|\$ |> |❯|[├└│╭╰]|\[[\w:./ -]+\]|error:|warning:|fatal:|remote:|FAIL|PASS|ok\s|panic:|Traceback|File "|npm |go: |\{|\}|"\w+":|[-drwx]{10}|commit [0-9a-f]{7}|Author:|Date:|index [0-9a-f]|diff --git|@@ |create mode|\s{6,}\S|\d{4}-\d\d-\d\d|Step \d+|✓|✗|✘|●|○)/i;
const SIGNS = /[{}();=<>|/\\]/g;
const SIGN_SHARE = 0.09;

/** Whether a line of a user's message is output of a program, code or a quotation. */
export function isPastedLine(line: string): boolean {
  if (/^\s*>/.test(line) || LOGGED.test(line)) return true;
  return (line.match(SIGNS)?.length ?? 0) > Math.max(4, line.length * SIGN_SHARE);
}

/** The share of a message's characters that are in such lines or in code. */
export function pastedShare(text: string): number {
  let [fence, pasted] = [false, 0];
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) fence = !fence;
    else if (fence || isPastedLine(line)) pasted += line.length;
  }
  return pasted / Math.max(1, text.length);
}

const INTRODUCED = /^[^\n]{0,300}(?:\n[^\n]{0,300}){0,2}?:[ \t]*\n/;
const LONG_PASTE = 1000;

/** Where a long text begins that a message only introduces, as in "what do you think of this:"; its length where none does. */
export function introducedAt(text: string): number {
  const at = INTRODUCED.exec(text)?.[0].length ?? text.length;
  return text.length - at > LONG_PASTE ? at : text.length;
}

/** The user's own lines of a message. */
export function ownLines(text: string): string {
  let fence = false;
  const own = text.split('\n').filter((line) => {
    if (/^\s*```/.test(line)) {
      fence = !fence;
      return false;
    }
    return !fence && !isPastedLine(line);
  });
  return own.join('\n').trim();
}

/** Marks of a client inside an agent's message: directives, and the names of tools it called. */
const MACHINE =
  /^\s*::[\w-]+\{|^\W*(?:\[?tools?(?: use| call| result|:)|(?:read|searched|edited|created) files?:|todo list:?\s*$|<\/?[\w-]+>)/i;
const CODE_SIGNS = /[{}()[\]=<>;|\\]/g;
const CODE_SHARE = 0.08;

/** Whether a line of an agent's message is the client's, or code without a fence. */
export function isMachineLine(line: string): boolean {
  if (MACHINE.test(line)) return true;
  if (line.trimStart().startsWith('|')) return false;
  const bare = line.replace(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, '');
  return (bare.match(CODE_SIGNS)?.length ?? 0) > Math.max(4, bare.length * CODE_SHARE);
}
