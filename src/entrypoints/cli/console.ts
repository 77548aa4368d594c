import { type Page, shortCursor } from '../../app/page.ts';
import { cleanText } from './terminal/clean-text.ts';
import { isTerminal, writeOut } from './terminal/output.ts';
import { type Progress, progressBar } from './terminal/progress.ts';
import { count } from './terminal/quantities.ts';
import { type Style, styleFor } from './terminal/style.ts';
import { type Column, table } from './terminal/table.ts';
import { wrapText } from './terminal/wrap-text.ts';

export type ConsoleOptions = {
  json: boolean;
  color: boolean | undefined;
  columns: number | undefined;
  timeZone: () => string;
};

/** Everything a command prints goes through here: stdout for what was asked for, stderr for all else. */
export class Console {
  readonly json: boolean;
  readonly style: Style;
  readonly errorStyle: Style;
  /** `Europe/Zurich`, `UTC` */
  readonly timeZone: () => string;
  readonly #columns: number | undefined;
  #progress: Progress | undefined;

  constructor(options: ConsoleOptions) {
    this.json = options.json;
    this.#columns = options.columns;
    this.timeZone = options.timeZone;
    this.style = styleFor(options.color ?? isTerminal(1));
    this.errorStyle = styleFor(options.color ?? isTerminal(2));
  }

  /** Undefined when stdout is no terminal: nothing is cut there. */
  get width(): number | undefined {
    return isTerminal(1) ? (process.stdout.columns ?? this.#columns ?? 80) : undefined;
  }

  /** Whether there is someone who can answer. */
  get interactive(): boolean {
    return this.attended && !this.json;
  }

  /** Whether someone sits there, whatever the output is for. */
  get attended(): boolean {
    return isTerminal(2) && process.stdin.isTTY === true;
  }

  print(...lines: string[]): void {
    writeOut(1, `${lines.join('\n')}\n`);
  }

  printJson(value: unknown): void {
    writeOut(1, `${JSON.stringify(value, null, isTerminal(1) ? 2 : undefined)}\n`);
  }

  /** A sentence on stderr that does not stop the work. */
  note(text: string): void {
    this.#progress?.end();
    writeOut(2, `${this.errorStyle.dim(this.wrapped(cleanText(text)))}\n`);
  }

  warn(text: string): void {
    this.#progress?.end();
    const [first = '', ...others] = this.wrapped(`warning: ${cleanText(text)}`).split('\n');
    const painted = first.replace('warning:', this.errorStyle.warn('warning:'));
    writeOut(2, `${[painted, ...others].join('\n')}\n`);
  }

  /** What goes to stderr, broken between words where a terminal would break inside them. */
  wrapped(text: string): string {
    const width = isTerminal(2) ? process.stderr.columns || this.#columns || 80 : undefined;
    return wrapText(text, width).join('\n');
  }

  table<Row>(rows: Row[], columns: Column<Row>[], indent = ''): void {
    this.print(...table(rows, columns, { width: this.width, heading: this.style.dim, indent }));
  }

  /** Below a list for a person: the zone of its times, once. */
  noteZone(): void {
    if (this.width !== undefined) this.note(`Times: ${this.timeZone()}.`);
  }

  /** Below a page that is not the last: the total, and the command for the next page. */
  noteMore(
    page: Page<unknown>,
    command: string,
    request: { project?: string; limit?: number },
    total?: number,
  ): void {
    if (page.next === null) return;
    const of = total === undefined ? '' : ` of ${count(total)}`;
    const project = request.project === undefined ? '' : ` --project=${JSON.stringify(request.project)}`;
    const limit = request.limit === undefined ? '' : ` --limit ${request.limit}`;
    const on = `keepsake ${command}${project}${limit} --after ${shortCursor(page.next)}`;
    this.note(`${count(page.items.length)}${of} shown. For more:\n  ${on}`);
  }

  /** A bar on stderr, where that is a terminal. */
  progress(verb: string, millis: () => number): Progress {
    const visible = isTerminal(2) && !this.json;
    const output = visible
      ? {
          write: (text: string) => void process.stderr.write(text),
          columns: () => process.stderr.columns || this.#columns || 80,
          millis,
        }
      : undefined;
    this.#progress = progressBar(verb, output);
    return this.#progress;
  }

  endProgress(): void {
    this.#progress?.end();
  }

  /** A line typed on a terminal that is shown nowhere. */
  async askHidden(question: string): Promise<string> {
    const [{ createInterface }, { Writable }] = await Promise.all([
      import('node:readline/promises'),
      import('node:stream'),
    ]);
    process.stderr.write(`${question} `);
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output, terminal: true });
    try {
      return await lines.question('');
    } finally {
      lines.close();
      process.stderr.write('\n');
    }
  }

  /** A line typed on a terminal. */
  async ask(question: string): Promise<string> {
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(`${question} `);
    } finally {
      lines.close();
    }
  }

  /** One of these keys, pressed on a terminal; Ctrl-C and the end of the input are the last of them. */
  async key(question: string, keys: string): Promise<string> {
    process.stderr.write(`${question} `);
    const { stdin } = process;
    stdin.setRawMode(true);
    stdin.resume();
    try {
      for (;;) {
        const typed = await new Promise<string>((resolve) => {
          stdin.once('data', (data) => resolve(String(data)));
          stdin.once('end', () => resolve('\u0004'));
        });
        const pressed = typed[0]?.toLowerCase() ?? '';
        if (/[\u0003\u0004]/.test(pressed)) return keys.at(-1)!;
        if (pressed !== '' && keys.includes(pressed)) return pressed;
      }
    } finally {
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write('\n');
    }
  }

  /** Asks on a terminal; where nobody can answer it is `fallback`. */
  async confirm(question: string, fallback: boolean): Promise<boolean> {
    if (!this.interactive) return fallback;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await lines.question(`${question} ${fallback ? '[Y/n]' : '[y/N]'} `);
      return answer.trim() === '' ? fallback : /^y(es)?$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  }
}
