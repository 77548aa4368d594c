import { basename } from 'node:path';
import type { AgentFinder, DocumentAsk } from './agent-finder.ts';
import { staged } from './json-value.ts';

const WELCOME = /Welcome to Claude Code|Claude Code v\d|^[ \t]*▐▛█+▜▌/m;
const FOLDER = /^[│|]?\s*(?:cwd: |[▘▝]+ +[▘▝]+\s+)(.*?)\s*[│|]?\s*$/m;
/** How the lines begin with which something new begins. */
const BEGINS = /^(?:[>❯] |[>❯]$|[⏺●] |[✻✽✶✢∴✳] |\s{0,2}⎿ |=== )/;
/** Characters from the start within which a file must be recognizable. */
const HEAD = 4000;

/** What `/export` of Claude Code writes: the console as it was. */
export const claudeExportFiles: AgentFinder = {
  document: {
    name: /\.(?:txt|md)$/,
    rows: ({ text, path }) => {
      const isOwn = WELCOME.test(text.slice(0, HEAD)) && /^[>❯] \S/m.test(text) && /^[⏺●] \S/m.test(text);
      return isOwn ? rowsOf({ text, path, isEnded: true }) : undefined;
    },
  },
};

/** A row for the head, one for each block of lines that belong together, as they are. */
function* rowsOf({ text, path }: DocumentAsk): Generator<object> {
  const lines = text.replaceAll('\r', '').split('\n');
  const first = lines.findIndex((line) => /^[>❯⏺●] ?/.test(line));
  const head = lines.slice(0, first).join('\n');
  const id = `export_${basename(path)
    .replace(/\.\w+$/, '')
    .replace(/[^\w.-]+/g, '-')}`;
  yield staged('claude-export', 'session', { id, head, cwd: FOLDER.exec(head)?.[1] ?? '' });
  let block: string[] = [];
  let width = 0;
  for (const line of lines.slice(first)) {
    const isPrompt = /^[>❯] /.test(line);
    // Newer versions fill the lines of a prompt with spaces: what is shorter behind it is the client's.
    const isBehind = width > 0 && !line.endsWith(' ') && line.length < width;
    if (isPrompt || isBehind || BEGINS.test(line)) width = isPrompt && line.endsWith(' ') ? line.length : 0;
    if ((isBehind || BEGINS.test(line)) && block.length > 0) {
      yield staged('claude-export', 'block', { text: block.join('\n').trimEnd() });
      block = [];
    }
    block.push(line);
  }
  if (block.length > 0) yield staged('claude-export', 'block', { text: block.join('\n').trimEnd() });
}
