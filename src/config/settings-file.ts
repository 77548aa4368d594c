import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import { type Layer, resolveConfig } from '../core/model/resolve-config.ts';
import type { ResolvedSettings, Settings } from '../ports/settings.ts';
import { parseSettings } from './parse-settings.ts';

type Values = Record<string, unknown>;

type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** The settings of `config.json`, written under `exclusive`. */
export function settingsFile(archive: string, exclusive: Exclusive = (work) => work()): Settings {
  const file = join(archive, 'config.json');

  async function readGlobal(): Promise<Values> {
    const text = await readIfThere(file);
    return text === undefined || text.trim() === '' ? {} : parseSettings(text, file);
  }

  return {
    file,
    readGlobal,
    async resolve(project = {}, flags = {}) {
      const layers: Layer[] = [
        { source: 'global', name: file, values: await readGlobal() },
        { source: 'project', name: "the project's settings", values: project },
        { source: 'flag', name: 'the command line', values: flags },
      ];
      const used = layers.filter((layer) => Object.keys(layer.values).length > 0);
      return used.length === 0 ? plainDefaults() : resolveLayers(used);
    },
    readText: () => readIfThere(file),
    check,
    async writeText(text) {
      await check(text, file);
      await exclusive(() => replaceFile(file, text.endsWith('\n') ? text : `${text}\n`));
    },
    writeGlobal: (change) =>
      exclusive(async () => {
        const text = JSON.stringify(change(await readGlobal()), null, 2);
        await check(text, file);
        await replaceFile(file, `${text}\n`);
      }),
  };
}

async function check(text: string, name: string): Promise<Values> {
  const values = text.trim() === '' ? {} : parseSettings(text, name);
  resolveLayers([{ source: 'global', name, values }]);
  return values;
}

function plainDefaults(): ResolvedSettings {
  return { config: resolveConfig([]).config, sources: new Map(), warnings: [] };
}

function resolveLayers(layers: Layer[]): ResolvedSettings {
  const { config, sources, unknown, wrong } = resolveConfig(layers);
  const [first] = wrong;
  if (first) {
    throw new Fault('config', `${first.message}.`, {
      hint: `Correct it with \`keepsake config set ${first.key} VALUE\` or \`keepsake config edit\`; nothing was changed.`,
    });
  }
  return { config, sources, warnings: unknown.map((problem) => `${problem.message}; it is unchanged.`) };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined;
    throw new Fault('config', `${file} can't be read (${codeOf(cause)}).`, {
      hint: `Make it readable: chmod 600 ${file}`,
      cause,
    });
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  // The archive's sweep knows it by this name, if we are killed.
  const temp = join(dirname(file), `.tmp-${randomBytes(8).toString('hex')}-config.json`);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, file);
  } catch (cause) {
    await rm(temp, { force: true });
    const full = codeOf(cause) === 'ENOSPC' || codeOf(cause) === 'EDQUOT';
    throw new Fault(full ? 'disk-full' : 'read-only', `${file} could not be written (${codeOf(cause)}).`, {
      hint: 'The settings are unchanged. Check the free space and the permissions of its folder.',
      cause,
    });
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
