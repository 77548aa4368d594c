import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ledger, LedgerLine } from '../../ports/model.ts';
import { readObject } from './event-stream.ts';

/** `ledger/2026-11.jsonl` in the archive. A line that was cut off by a crash is passed over. */
export function ledgerFile(archive: string): Ledger {
  const folder = join(archive, 'ledger');
  return {
    async months() {
      const names = await readdir(folder).catch(() => []);
      return names.flatMap((name) => /^(\d{4}-\d\d)\.jsonl$/.exec(name)?.[1] ?? []).sort();
    },
    async lines(month) {
      const text = await readFile(join(folder, `${month}.jsonl`), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => {
        const read = readObject(line);
        return read && isLine(read) ? [read as unknown as LedgerLine] : [];
      });
    },
    async append(line) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(folder, `${line.at.slice(0, 7)}.jsonl`), 'a+', 0o600);
      try {
        const { size } = await file.stat();
        const last = Buffer.alloc(1, '\n');
        if (size > 0) await file.read(last, 0, 1, size - 1);
        // What a crash left torn must not swallow this line, too.
        await file.writeFile(`${last.toString() === '\n' ? '' : '\n'}${JSON.stringify(line)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

function isLine(value: Record<string, unknown>): boolean {
  return (
    ['at', 'call', 'state', 'use', 'service', 'model'].every((key) => typeof value[key] === 'string') &&
    ['input', 'output', 'usd'].every((key) => typeof value[key] === 'number')
  );
}
