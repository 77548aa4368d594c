import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_DEFAULTS, type Config } from '../core/model/config-defaults.ts';
import { Fault } from '../core/model/fault.ts';
import type { Settings } from '../ports/settings.ts';

type Branch = Record<string, unknown>;

/** What a manifest calls a setting itself. */
const OLDER_NAMES: [name: string, key: string][] = [
  ['autoRegisterNewSessions', 'defaults.autoRegisterSessions'],
];
const ONE_OF = new Map<string, unknown[]>([
  ['storage.originals', ['copy', 'link', 'symlink']],
  ['keepit.extent', ['paragraph', 'message']],
  ['synthesis.sections', ['fixed', 'content']],
  ['autoDecay.schedule', ['off', 'daily', 'weekly', 'on-access']],
  ['autoDecay.createPreset', ['gentle', 'standard', 'aggressive']],
  ['autoDecay.aggressivePreset', ['gentle', 'standard', 'aggressive']],
]);

/**
 * Settings as hooks read them: without zod, which costs more than a whole hook may. What does not fit its place is left
 * out, for a hook has nobody to report it to; every command reports it.
 */
export function hookSettings(archive: string): Settings {
  const file = join(archive, 'config.json');
  const refuse = () => Promise.reject(new Fault('internal', 'A hook only reads settings.'));
  return {
    file,
    async resolve(project = {}, flags = {}) {
      const config = structuredClone(CONFIG_DEFAULTS);
      for (const layer of [await readPlain(file), project, flags]) lay(config, layer);
      return { config, sources: new Map(), warnings: [] };
    },
    readGlobal: () => readPlain(file),
    writeGlobal: refuse,
    readText: () => readFile(file, 'utf8').catch(() => undefined),
    check: refuse,
    writeText: refuse,
  };
}

function lay(config: Config, values: Branch): void {
  const nested = structuredClone(values);
  for (const [name, key] of OLDER_NAMES) if (name in nested) nested[key] = nested[name];
  layOver(config as unknown as Branch, nested, '');
  for (const [key, value] of Object.entries(nested)) {
    if (key.includes('.')) layOver(config as unknown as Branch, unflatten(key.split('.'), value), '');
  }
}

/** Only what the defaults have, and of the same kind. */
function layOver(below: Branch, above: Branch, prefix: string): void {
  for (const [key, current] of Object.entries(below)) {
    const value = Object.hasOwn(above, key) ? above[key] : undefined;
    if (isBranch(current)) {
      if (isBranch(value)) layOver(current, value, `${prefix}${key}.`);
    } else if (typeof value === typeof current && fits(`${prefix}${key}`, value)) below[key] = value;
  }
}

function fits(key: string, value: unknown): boolean {
  const known = ONE_OF.get(key);
  if (known) return known.includes(value);
  return typeof value !== 'number' || (Number.isFinite(value) && value >= 0);
}

function unflatten([first = '', ...rest]: string[], value: unknown): Branch {
  return { [first]: rest.length === 0 ? value : unflatten(rest, value) };
}

async function readPlain(file: string): Promise<Branch> {
  try {
    const value: unknown = JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
    return isBranch(value) ? value : {};
  } catch {
    return {};
  }
}

function isBranch(node: unknown): node is Branch {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
