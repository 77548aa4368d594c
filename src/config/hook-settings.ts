import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import { type Layer, resolveConfig, valueAt } from '../core/model/resolve-config.ts';
import type { Settings } from '../ports/settings.ts';
import { parseSettings } from './parse-settings.ts';

type Values = Record<string, unknown>;

/**
 * Settings as hooks read them: by the same rules as every command, which refuses to work with a wrong value. A hook has
 * nobody to ask: it goes by the value below, which is the default unless a layer below sets it, and warns.
 */
export function hookSettings(archive: string): Settings {
  const file = join(archive, 'config.json');
  let global: ReturnType<typeof readGlobal> | undefined;
  // A hook is over before anyone could change the file.
  const readOnce = () => {
    global ??= readGlobal(file);
    return global;
  };
  const refuse = () => Promise.reject(new Fault('internal', 'A hook only reads settings.'));
  return {
    file,
    async resolve(project = {}, flags = {}) {
      const { values, warnings } = await readOnce();
      const layers: Layer[] = [
        { source: 'global', name: file, values },
        { source: 'project', name: "the project's settings", values: project },
        { source: 'flag', name: 'the command line', values: flags },
      ];
      const { config, sources, wrong } = resolveConfig(layers);
      const refused = wrong.map(
        ({ key, message }) => `${message}; ${JSON.stringify(valueAt(config, key))} is used.`,
      );
      return { config, sources, warnings: [...warnings, ...refused] };
    },
    readGlobal: async () => (await readOnce()).values,
    writeGlobal: refuse,
    readText: () => readIfThere(file),
    check: refuse,
    writeText: refuse,
  };
}

/** A file that can't be read sets nothing. */
async function readGlobal(file: string): Promise<{ values: Values; warnings: string[] }> {
  const text = (await readIfThere(file)) ?? '';
  if (text.trim() === '') return { values: {}, warnings: [] };
  try {
    return { values: parseSettings(text, file), warnings: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { values: {}, warnings: [`${error.message} The defaults are used.`] };
  }
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
