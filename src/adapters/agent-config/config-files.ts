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
      // One that contains something now stays.
      for (const folder of [...folders].reverse()) await rmdir(folder).catch(() => undefined);
    },
    entry: (text, { format, at, own }) => {
      const [, rest] = behindMark(text);
      if (own !== undefined)
        return format === 'toml' ? tomlItem(rest, at, own) : jsonItem(rest, at, own)?.value;
      return format === 'toml' ? tomlEntry(rest, at) : jsonEntry(rest, at);
    },
    withEntry: (text, { format, at, own }, entry) => {
      const [mark, rest] = behindMark(text);
      const edited =
        own === undefined
          ? (format === 'toml' ? withTomlEntry : withJsonEntry)(rest, at, entry)
          : (format === 'toml' ? withTomlItem : withJsonItem)(rest, { at, own }, entry);
      return edited === undefined ? undefined : mark + edited;
    },
    withoutEntry: (text, { format, at, own }) => {
      const [mark, rest] = behindMark(text);
      const edited =
        own === undefined
          ? (format === 'toml' ? withoutTomlEntry : withoutJsonEntry)(rest, at)
          : (format === 'toml' ? withoutTomlItem : withoutJsonItem)(rest, { at, own });
      return edited === undefined ? undefined : mark + edited;
    },
  };
}

/** Editors on Windows begin a file with a byte order mark: it stays, and is no part of what the file says. */
function behindMark(text: string): [mark: string, rest: string] {
  return text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text];
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
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
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
