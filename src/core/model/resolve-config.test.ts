import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SETTINGS } from './config.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { readValue, resolveConfig, valueAt, withSetting } from './resolve-config.ts';
import { whatIsWrong } from './setting-rules.ts';

test('every default has a rule, and fits it', () => {
  const leaves = (node: object, prefix = ''): string[] =>
    Object.entries(node).flatMap(([name, value]) =>
      typeof value === 'object' ? leaves(value, `${prefix}${name}.`) : [`${prefix}${name}`],
    );
  expect(leaves(CONFIG_DEFAULTS)).toEqual([...SETTINGS.keys()]);
  for (const { rule, fallback } of SETTINGS.values()) expect(whatIsWrong(rule, fallback)).toBeUndefined();
});

test('every setting is explained', () => {
  for (const setting of SETTINGS.values()) expect(setting.about.length).toBeGreaterThan(15);
});

test('words of a command line become values of the right type', () => {
  const read = (key: string, text: string) => readValue(SETTINGS.get(key)!.rule, text);
  expect(read('levels.light', '5')).toBe(5);
  expect(read('defaults.keepitDecayEnabled', 'off')).toBe(false);
  expect(read('defaults.model', '7')).toBe('7');
  expect(read('storage.compressionRetention', '3')).toBe('3');
  expect(read('levels.light', 'many')).toBe('many');
});

test.each([
  ['levels.light', 0, 'expected a number from 1 to 100'],
  ['keepitDecay.pinnedWeight', 2, 'expected a number from 0 to 1'],
  ['storage.originals', 'move', 'expected one of copy, link, symlink'],
  ['ui.showTokenEstimates', 'x', 'expected true or false'],
  ['storage.maxCacheSize', 'big', 'expected a size such as 500MB or 1GB'],
  ['keepitDecay.maxSessionDistance', 1.5, 'expected a whole number from 1 to 10000'],
])('%s = %j is refused: %s', (key, value, message) => {
  expect(whatIsWrong(SETTINGS.get(key)!.rule, value)).toBe(message);
});

test("a manifest's own names for settings are understood", () => {
  const { config, sources, unknown } = resolveConfig([
    {
      source: 'project',
      name: 'p',
      values: { defaultCompressionPreset: 'gentle', keepitDecayEnabled: false },
    },
  ]);
  expect(config.defaults.compressionPreset).toBe('gentle');
  expect(config.defaults.keepitDecayEnabled).toBe(false);
  expect(sources.get('defaults.compressionPreset')).toBe('project');
  expect(unknown).toEqual([]);
});

test('setting a key keeps all else, and taking it out again gives back the same', () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
  fc.assert(
    fc.property(values, fc.constantFrom(...SETTINGS.keys()), (own, key) => {
      const [root] = key.split('.');
      fc.pre(root !== undefined && !(root in own) && !(key in own));
      const changed = withSetting(own, key, 1);
      expect(valueAt(changed, key)).toBe(1);
      expect(withSetting(changed, key, undefined)).toEqual(structuredClone(own));
    }),
  );
});

test('any JSON as a layer: no crash, and the defaults stay whole where it says nothing good', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
      const { config } = resolveConfig([{ source: 'global', name: 'f', values }]);
      for (const { key, rule } of SETTINGS.values())
        expect(whatIsWrong(rule, valueAt(config, key))).toBeUndefined();
    }),
  );
});
