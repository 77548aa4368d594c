// Makes docs/keepsake.svg: the real program's output for a small made-up project, drawn as a terminal.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Step, workSession } from '../test/made/work.ts';

const COLUMNS = 128;
const CHARACTER = { width: 7.83, height: 19 };
const PADDING = 18;
const BAR = 34;
const COLORS: Record<string, string> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
};

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-picture-'));
const RULE = 'ever edit the generated files under `src/gen`, run `make gen` instead.';
const FAILED: Step = { run: 'gen --all', fails: 'bash: gen: command not found' };
const ROUNDING = 'src/checkout/price-rounding.ts';
const SESSIONS: [id: string, day: string, steps: Step[]][] = [
  [
    '3f0c4a11',
    '2026-03-02',
    [
      { you: `Add the coupon table. N${RULE}` },
      { edit: ROUNDING },
      { agent: 'Done: `applyCoupon` rounds half up, and `make gen` wrote the client.' },
    ],
  ],
  [
    '7be2d930',
    '2026-03-04',
    [
      { you: 'Run the generator, then move `applyCoupon` into its own file' },
      FAILED,
      { run: './tools/gen --all' },
      { edit: 'src/checkout/coupon.ts' },
      { agent: 'The generator ran with `./tools/gen --all`; `applyCoupon` is in `src/checkout/coupon.ts`.' },
    ],
  ],
  [
    'a1945e07',
    '2026-03-06',
    [
      { you: 'Regenerate the API client' },
      FAILED,
      { run: './tools/gen --all' },
      { agent: 'The client is up to date.' },
    ],
  ],
  [
    'c4d81f62',
    '2026-03-09',
    [
      { you: 'The basket total is off by a cent. Please fix it.' },
      { tool: 'Glob', input: { pattern: '**/price*.ts' }, gives: ROUNDING },
      { edit: ROUNDING },
      { agent: 'Fixed: `applyCoupon` no longer rounds twice.' },
    ],
  ],
  [
    'e80b7d35',
    '2026-03-11',
    [
      { you: 'Add the refund endpoint' },
      { edit: 'src/gen/client.ts' },
      { agent: 'Added.' },
      { you: `Please n${RULE}` },
      { run: 'make gen' },
      { agent: 'Reverted my edit; `make gen` wrote the client.' },
    ],
  ],
];
const folder = join(scratch, 'claude', 'projects', '-srv-shop');
mkdirSync(folder, { recursive: true });
for (const [id, day, steps] of SESSIONS) {
  const whole = `${id}-0000-4000-8000-000000000001`;
  writeFileSync(join(folder, `${whole}.jsonl`), workSession(whole, steps, day));
}
const env = {
  PATH: process.env.PATH,
  HOME: scratch,
  CLAUDE_MEMORY_DIR: join(scratch, 'archive'),
  CLAUDE_CONFIG_DIR: join(scratch, 'claude'),
  TERM: 'xterm-256color',
  TZ: 'UTC',
};
/** Runs in a real terminal of this width, provided by `script` (util-linux). */
const keepsake = (args: string) => {
  const command = `stty cols ${COLUMNS}; ${process.execPath} ${join(root, 'bin', 'keepsake')} ${args === '' ? '--list' : args} 2>/dev/null`;
  return spawnSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' }).stdout.replaceAll(
    '\r',
    '',
  );
};

const commands = [''];
const screens = commands.map((args) => [`keepsake ${args}`.trim(), keepsake(args)] as const);
rmSync(scratch, { recursive: true, force: true });

const lines = screens.flatMap(([command, output]) => [
  `\u001b[32m$\u001b[39m ${command}`,
  ...output.trimEnd().split('\n'),
  '',
]);
writeFileSync(join(root, 'docs', 'keepsake.svg'), draw(lines.slice(0, -1)));

function draw(text: string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER.width + 2 * PADDING);
  const height = BAR + text.length * CHARACTER.height + PADDING;
  const rows = text.map((line, row) => {
    const y = BAR + 14 + row * CHARACTER.height;
    return `<text x="${PADDING}" y="${y}" xml:space="preserve">${spans(line)}</text>`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, n) => `<circle cx="${22 + 18 * n}" cy="17" r="5.5" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="keepsake in a terminal, with a made-up project">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9}.bold{font-weight:700;fill:#fff}.dim{fill:#8a93a6}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.magenta{fill:#d2a8ff}.cyan{fill:#79c0ff}</style>
<rect width="${width}" height="${height}" rx="9" fill="#11151c"/>
${dots.join('')}
${rows.join('\n')}
</svg>
`;
}

/** One span per style; escape codes begin and end it. */
function spans(line: string): string {
  let style = '';
  let out = '';
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    if (part.startsWith('\u001b[')) style = COLORS[part.slice(2, -1)] ?? '';
    else if (part !== '') out += style ? `<tspan class="${style}">${escaped(part)}</tspan>` : escaped(part);
  }
  return out;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
