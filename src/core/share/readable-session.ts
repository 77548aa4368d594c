import { redact } from '../text/redact.ts';

/** One thing that was said or done in a session, as it is shown to someone else. */
export type SharedTurn = {
  who: 'user' | 'agent' | 'tool';
  /** UTC, ISO. */
  ts: string;
  text: string;
  /** What a tool printed, where that was asked for. */
  output?: string;
};

export type SharedSession = { title: string; agent: string; day: string; turns: SharedTurn[] };

/** What was removed. */
export type Sanitized = { session: SharedSession; masked: number; paths: number };

/** Home folders of any user, on any system. */
const HOME = /(?:\/(?:home|Users)\/[^/\s"'`:]+|[A-Za-z]:\\Users\\[^\\\s"'`:]+)(?=[\\/\s"'`:,.)]|$)/g;

/** Without secrets, and with paths that name neither the user nor the machine. `folders` are those of the project, `home` the user's own. */
export function sanitized(
  session: SharedSession,
  places: { folders: readonly string[]; home: string },
): Sanitized {
  let [masked, paths] = [0, 0];
  const roots = [...places.folders].filter((it) => it.length > 1).sort((a, b) => b.length - a.length);
  const clean = (text: string): string => {
    const { text: safe, counts } = redact(text);
    masked += Object.values(counts).reduce((sum, count) => sum + count, 0);
    let short = safe;
    const replace = (path: string, by: string) => {
      const parts = short.split(path);
      paths += parts.length - 1;
      short = parts.join(by);
    };
    for (const root of roots) {
      replace(`${root}/`, '');
      replace(root, '.');
    }
    if (places.home.length > 1) replace(places.home, '~');
    return short.replace(HOME, () => {
      paths++;
      return '~';
    });
  };
  const turns = session.turns.map(({ output, ...turn }) => ({
    ...turn,
    text: clean(turn.text),
    ...(output === undefined ? {} : { output: clean(output) }),
  }));
  return { session: { ...session, title: clean(session.title), turns }, masked, paths };
}

const NAMES = { user: 'User', agent: 'Agent', tool: '' } as const;

export function sharedMarkdown({ title, agent, day, turns }: SharedSession): string {
  const parts = [
    `# ${oneLine(title)}`,
    `${oneLine(agent)}, ${day}. Shared with Keepsake: secrets are masked, paths are shortened.`,
  ];
  let last = '';
  for (const { who, text, output } of turns) {
    if (who === 'tool') {
      parts.push(`- ${code(text)}`);
      if (output) parts.push(fenced(output));
      continue;
    }
    if (who !== last) parts.push(`## ${NAMES[who]}`);
    last = who;
    parts.push(text);
  }
  return `${parts.join('\n\n')}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function code(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const plain = oneLine(text);
  return plain.includes('`') ? `${ticks} ${plain} ${ticks}` : `${ticks}${plain}${ticks}`;
}

/** A fence that is longer than any inside. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.3rem 0}.tool,.tool pre{font:13px/1.4 ui-monospace,monospace;color:#555}h2{font-size:1rem;margin:1.5rem 0 0}';

/** One file without a script, which loads nothing. */
export function sharedHtml({ title, agent, day, turns }: SharedSession): string {
  const rows: string[] = [];
  let last = '';
  for (const { who, text, output } of turns) {
    if (who !== 'tool' && who !== last) rows.push(`<h2>${NAMES[who]}</h2>`);
    if (who !== 'tool') last = who;
    const printed = output ? `<pre>${escaped(output)}</pre>` : '';
    rows.push(`<div class="${who}"><pre>${escaped(text)}</pre>${printed}</div>`);
  }
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1><p>${escaped(agent)}, ${escaped(day)}. Shared with Keepsake: secrets are masked, paths are shortened.</p>
${rows.join('\n')}
</body></html>
`;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}
