import {
  chmod,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { AgentConfig } from '../../ports/agent-config.ts';
import { jsonEntry, withJsonEntry, withoutJsonEntry } from './json-entry.ts';
import { jsonItem, withJsonItem, withoutJsonItem } from './json-item.ts';
import { tomlEntry, withoutTomlEntry, withTomlEntry } from './toml-entry.ts';
import { tomlItem, withoutTomlItem, withTomlItem } from './toml-item.ts';

/** Settings files of agents on a file system. */
export function configFiles(): AgentConfig {
  return {
    read: readText,
    hasFolder: async (path) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false,
    write: writeText,
    async remove(path, folders) {
      await rm(path, { force: true });
      // One that holds something by now stays.
      for (const folder of [...folders].reverse()) await rmdir(folder).catch(() => undefined);
    },
    entry: (text, { format, at, own }) => {
      if (own !== undefined)
        return format === 'toml' ? tomlItem(text, at, own) : jsonItem(text, at, own)?.value;
      return format === 'toml' ? tomlEntry(text, at) : jsonEntry(text, at);
    },
    withEntry: (text, { format, at, own }, entry) => {
      if (own !== undefined)
        return format === 'toml'
          ? withTomlItem(text, { at, own }, entry)
          : withJsonItem(text, { at, own }, entry);
      return format === 'toml' ? withTomlEntry(text, at, entry) : withJsonEntry(text, at, entry);
    },
    withoutEntry: (text, { format, at, own }) => {
      if (own !== undefined)
        return format === 'toml' ? withoutTomlItem(text, { at, own }) : withoutJsonItem(text, { at, own });
      return format === 'toml' ? withoutTomlEntry(text, at) : withoutJsonEntry(text, at);
    },
  };
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Fault('unreadable', `${path} can't be read: ${error.code ?? error.message}.`, { cause: error });
  });
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new Fault('unreadable', `${path} is not UTF-8 text.`, { hint: 'Nothing was changed.' });
}

async function writeText(path: string, text: string): Promise<string[]> {
  // A link in a user's dotfiles stays one.
  const target = await realpath(path).catch(() => path);
  const made = await missingFolders(dirname(target));
  await mkdir(dirname(target), { recursive: true });
  const mode = (await stat(target).catch(() => undefined))?.mode;
  const temp = `${target}.keepsake-${process.pid}`;
  await writeFile(temp, text, { mode: 0o600 });
  if (mode !== undefined) await chmod(temp, mode & 0o777);
  await rename(temp, target);
  return made;
}

async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; (await lstat(at).catch(() => undefined)) === undefined; at = dirname(at))
    missing.unshift(at);
  return missing;
}
