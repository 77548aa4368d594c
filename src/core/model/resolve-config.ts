import { CONFIG_DEFAULTS, type Config } from './config-defaults.ts';
import { isSettingKey, SETTING_RULES, type SettingRule, whatIsWrong } from './setting-rules.ts';

type Branch = Record<string, unknown>;

/** What a manifest's own settings are called there, and the keys they represent. */
const PROJECT_NAMES = new Map([
  ['defaultCompressionPreset', 'defaults.compressionPreset'],
  ['autoRegisterNewSessions', 'defaults.autoRegisterSessions'],
  ['keepitDecayEnabled', 'defaults.keepitDecayEnabled'],
]);
/** Keys that a file may hold and that set nothing. */
const SILENT = new Set(['version', 'createdAt', '$schema']);

export type Layer = { source: 'global' | 'project' | 'flag'; name: string; values: Branch };
export type SettingProblem = { key: string; message: string };
export type Resolved = {
  config: Config;
  sources: Map<string, Layer['source']>;
  unknown: SettingProblem[];
  wrong: SettingProblem[];
};

/** Lays the layers over the defaults, later ones on top. Wrong values leave what was below and are named. */
export function resolveConfig(layers: Layer[]): Resolved {
  const config = copyOf(CONFIG_DEFAULTS) as Config;
  const resolved: Resolved = { config, sources: new Map(), unknown: [], wrong: [] };
  for (const layer of layers) {
    for (const { key, value } of flatten(layer.values)) {
      if (SILENT.has(key)) continue;
      if (!isSettingKey(key)) {
        const message = `${layer.name} contains ${key}, which this version of Keepsake does not know`;
        resolved.unknown.push({ key, message });
        continue;
      }
      const wrong = whatIsWrong(SETTING_RULES[key], value);
      if (wrong) {
        resolved.wrong.push({ key, message: `${layer.name}: ${key} is ${JSON.stringify(value)}, ${wrong}` });
      } else {
        setAt(config as unknown as Branch, key.split('.'), value);
        resolved.sources.set(key, layer.source);
      }
    }
  }
  return resolved;
}

/** Nested objects and dotted keys alike, as dotted keys. A known key's value is never taken apart. */
function flatten(values: Branch, prefix = ''): { key: string; value: unknown }[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = (prefix === '' ? PROJECT_NAMES.get(name) : undefined) ?? `${prefix}${name}`;
    if (!isSettingKey(key) && isBranch(value)) return flatten(value, `${key}.`);
    return [{ key, value }];
  });
}

/** The value at a dotted key of a user's own file, or of the whole configuration. */
export function valueAt(values: object, key: string): unknown {
  let node: unknown = values;
  for (const name of key.split('.')) {
    if (!isBranch(node) || !Object.hasOwn(node, name)) return undefined;
    node = node[name];
  }
  return node;
}

/** What a manifest calls a setting itself, where it has a name of its own. */
export function projectNameOf(key: string): string | undefined {
  return [...PROJECT_NAMES].find(([, setting]) => setting === key)?.[0];
}

/** Gives new values with one setting changed; everything else stays, unknown keys too. Undefined takes it out. */
export function withSetting(values: Branch, key: string, value: unknown): Branch {
  const copy = copyOf(values) as Branch;
  const older = projectNameOf(key);
  if (older !== undefined) delete copy[older];
  delete copy[key];
  if (value === undefined) dropAt(copy, key.split('.'));
  else setAt(copy, key.split('.'), value);
  return copy;
}

/** The words of a command line as the setting's type; the text itself when nothing else fits. */
export function readValue(rule: SettingRule, text: string): unknown {
  const words = new Map<string, unknown>([
    ['on', true],
    ['yes', true],
    ['true', true],
    ['off', false],
    ['no', false],
    ['false', false],
  ]);
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const candidates = [
    text,
    words.get(text.trim().toLowerCase()),
    Number.isFinite(number) ? number : undefined,
  ];
  return candidates.find((value) => value !== undefined && !whatIsWrong(rule, value)) ?? text;
}

function setAt(node: Branch, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    node[name] = value;
    return;
  }
  if (!isBranch(node[name])) node[name] = {};
  setAt(node[name] as Branch, rest, value);
}

function dropAt(node: Branch, [name, ...rest]: string[]): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    delete node[name];
    return;
  }
  const below = node[name];
  if (!isBranch(below)) return;
  dropAt(below, rest);
  if (Object.keys(below).length === 0) delete node[name];
}

/** `structuredClone` takes milliseconds when it is first called, and a hook has few. */
function copyOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copyOf);
  if (!isBranch(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copyOf(value)]));
}

function isBranch(node: unknown): node is Branch {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
