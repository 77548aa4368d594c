import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { Cli } from './cli.ts';

/**
 * Opens a copy of a text in the user's editor until `check` accepts it. Undefined: nothing was changed. A text that
 * is refused for good stays on the disk, and the fault says where.
 */
export async function editText(
  cli: Cli,
  name: string,
  before: string,
  check: (text: string) => Promise<unknown>,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-edit-'));
  const file = join(folder, name);
  await writeFile(file, before, { mode: 0o600 });
  for (;;) {
    await openEditor(cli, file);
    const text = await readFile(file, 'utf8');
    const wrong =
      text === before
        ? undefined
        : await check(text).then(
            () => undefined,
            (error: unknown) => error,
          );
    if (wrong === undefined) {
      await rm(folder, { recursive: true, force: true });
      return text === before ? undefined : text;
    }
    if (!(wrong instanceof Fault)) throw wrong;
    if (cli.console.interactive) cli.console.warn(wrong.message);
    if (!(await cli.console.confirm('Edit again?', false))) {
      throw new Fault('config', wrong.message, {
        hint: `Nothing was changed. What you wrote is in ${file}`,
        cause: wrong,
      });
    }
  }
}

/** Through a shell, as git does it: an editor may be `code --wait`. */
async function openEditor(cli: Cli, file: string): Promise<void> {
  const editor = cli.host.environment.editor ?? (process.platform === 'win32' ? 'notepad' : 'vi');
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
      : spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  if (status !== 0) {
    throw new Fault('config', `The editor ${JSON.stringify(editor)} ended with status ${status}.`, {
      hint: 'Nothing was changed. Set VISUAL or EDITOR to an editor you have.',
    });
  }
}
