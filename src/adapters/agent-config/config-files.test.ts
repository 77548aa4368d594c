import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configFiles } from './config-files.ts';

it.skipIf(process.platform === 'win32')('a new file and its new folders are private', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-config-'));
  try {
    const path = join(folder, 'a', 'b', 'agents.json');
    await configFiles().write(path, '{}');
    const modes = ['a', 'a/b', 'a/b/agents.json'].map((it) => statSync(join(folder, it)).mode & 0o077);
    expect(modes).toEqual([0, 0, 0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
