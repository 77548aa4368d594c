import { SETTINGS } from '../../../core/model/config.ts';
import { valueAt, withSetting } from '../../../core/model/resolve-config.ts';
import { wrapText } from '../terminal/wrap-text.ts';

const LINE = 100;

/** Every setting with its default and, on lines of their own, the words that explain it. */
export function settingsTemplate(): string {
  const lines = ['// Change any setting. Settings at their default are not saved.', '{'];
  let open: string[] = [];
  const close = (to: number) => {
    while (open.length > to) {
      dropComma(lines);
      open = open.slice(0, -1);
      lines.push(`${'  '.repeat(open.length + 1)}},`);
    }
  };
  for (const { key, fallback, about } of SETTINGS.values()) {
    if (key === 'version') continue;
    const groups = key.split('.').slice(0, -1);
    close(sharedLength(open, groups));
    for (const group of groups.slice(open.length)) {
      open = [...open, group];
      lines.push(`${'  '.repeat(open.length)}${JSON.stringify(group)}: {`);
    }
    const indent = '  '.repeat(open.length + 1);
    for (const text of wrapText(about, LINE - indent.length - 3)) lines.push(`${indent}// ${text}`);
    lines.push(`${indent}${JSON.stringify(key.split('.').at(-1))}: ${JSON.stringify(fallback)},`);
  }
  close(0);
  dropComma(lines);
  return `${[...lines, '}'].join('\n')}\n`;
}

function dropComma(lines: string[]): void {
  lines.push((lines.pop() ?? '').replace(/,$/, ''));
}

function sharedLength(a: string[], b: string[]): number {
  const differs = a.findIndex((name, index) => name !== b[index]);
  return differs === -1 ? a.length : differs;
}

/** Lines that are comments become empty, so that a fault still names the right line. */
export function withoutCommentLines(text: string): string {
  if (!/^\s*\/\//m.test(text)) return text;
  const lines = text.split('\n').map((line) => (/^\s*\/\//.test(line) ? '' : line));
  return lines.join('\n').trim() === '' ? '' : lines.join('\n');
}

/** Only what differs from the defaults. */
export function withoutDefaults(values: Record<string, unknown>): Record<string, unknown> {
  let kept = values;
  for (const { key, fallback } of SETTINGS.values()) {
    if (valueAt(kept, key) === fallback) kept = withSetting(kept, key, undefined);
  }
  return kept;
}
