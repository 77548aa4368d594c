import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { editorCommand, platformOf } from '../../core/model/platform.ts';
import type { Cli } from './cli.ts';

/**
 * Opens a copy of a text in the user's editor until `check` accepts it. Undefined: nothing was changed. The copy is
 * gone afterwards, whatever happened.
 */
export async function editText(
  cli: {
    console: Pick<Cli['console'], 'warn' | 'confirm'>;
    host: { environment: { editor: string | undefined } };
  },
  before: string,
  check: (text: string) => Promise<unknown>,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-edit-'));
  // Ctrl-C ends the program without coming back here.
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    const file = join(folder, 'settings.json');
    await writeFile(file, before, { mode: 0o600 });
    for (;;) {
      await openEditor(cli.host.environment.editor, file);
      const text = await readFile(file, 'utf8');
      if (text === before) return undefined;
      const wrong = await faultOf(check(text));
      if (wrong === undefined) return text;
      cli.console.warn(wrong.message);
      if (!(await cli.console.confirm('Edit again? (No discards your changes.)', true))) return undefined;
    }
  } finally {
    process.removeListener('exit', clean);
    await rm(folder, { recursive: true, force: true });
  }
}

async function faultOf(checking: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await checking;
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

async function openEditor(named: string | undefined, file: string): Promise<void> {
  const editor = named ?? platformOf(process.platform).editor;
  const {
    command: [program, ...args],
    shell,
  } = editorCommand(process.platform, editor, file);
  const child = spawn(program, args, { stdio: 'inherit', shell });
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
