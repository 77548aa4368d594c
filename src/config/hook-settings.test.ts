import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../core/model/config-defaults.ts';
import { Fault } from '../core/model/fault.ts';
import { valueAt } from '../core/model/resolve-config.ts';
import { SETTING_RULES, type SettingKey, type SettingRule } from '../core/model/setting-rules.ts';
import { hookSettings } from './hook-settings.ts';
import { settingsFile } from './settings-file.ts';

let archive: string;
beforeAll(() => {
  archive = mkdtempSync(join(tmpdir(), 'keepsake-settings-'));
});
afterAll(() => rmSync(archive, { recursive: true, force: true }));

const write = (values: unknown) => writeFileSync(join(archive, 'config.json'), JSON.stringify(values));
const nested = (key: string, value: unknown): unknown =>
  key.split('.').reduceRight((below, name) => ({ [name]: below }), value);

/** Values at the edges of a rule, and of every other kind. */
function valuesFor(rule: SettingRule): fc.Arbitrary<unknown> {
  const edges =
    rule.is === 'number'
      ? [rule.from, rule.to, rule.from - 1, rule.to + 1, rule.from + 0.5, rule.to - 0.5, 99_999, 1e300]
      : rule.is === 'choice'
        ? [...rule.of, rule.of.join(' '), rule.of[0]!.toUpperCase()]
        : ['auto', 'off', '/srv', 'all', '3', '90d', '1GB', '5 USD', '2/10', 'http://localhost:1', ''];
  return fc.oneof(
    fc.constantFrom(...edges),
    fc.constantFrom(true, false, null, [], {}, [1], { a: 1 }),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -5, max: 40_000 }),
  );
}

const setting = fc
  .constantFrom(...(Object.keys(SETTING_RULES) as SettingKey[]))
  .filter((key) => key !== 'version')
  .chain((key) => fc.tuple(fc.constant(key), valuesFor(SETTING_RULES[key])));

test('hooks and commands accept the same values of every setting; a refused one leaves the default, and is reported', async () => {
  await fc.assert(
    fc.asyncProperty(setting, fc.constantFrom('dotted', 'nested', 'project'), async ([key, value], how) => {
      const stored = how === 'nested' ? nested(key, value) : { [key]: value };
      write(how === 'project' ? {} : stored);
      const own = how === 'project' ? (stored as Record<string, unknown>) : {};
      const asked = await settingsFile(archive)
        .resolve(own)
        .catch((error: unknown) => error);
      const { config, warnings } = await hookSettings(archive).resolve(own);
      if (asked instanceof Fault) {
        expect(asked.code).toBe('config');
        expect(config).toEqual(CONFIG_DEFAULTS);
        expect(warnings).toEqual([expect.stringContaining(`${key} is ${JSON.stringify(value)}`)]);
        expect(warnings[0]).toContain(`${JSON.stringify(valueAt(CONFIG_DEFAULTS, key))} is used.`);
      } else {
        expect({ config, warnings }).toEqual({ config: (asked as { config: unknown }).config, warnings: [] });
      }
    }),
    { numRuns: 1500 },
  );
});

test('a file that contains no settings leaves the defaults, and is reported', async () => {
  for (const text of ['{', '[]', '"x"', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`]) {
    writeFileSync(join(archive, 'config.json'), text);
    const { config, warnings } = await hookSettings(archive).resolve();
    expect(config).toEqual(CONFIG_DEFAULTS);
    expect(warnings).toEqual([expect.stringMatching(/config\.json .*The defaults are used\.$/)]);
  }
  writeFileSync(join(archive, 'config.json'), '\uFEFF{"hooks":{"promptTokens":5}}');
  expect((await hookSettings(archive).resolve()).config.hooks.promptTokens).toBe(5);
});

test('a refused value of the project leaves what holds for all', async () => {
  write({ hooks: { promptTokens: 300 } });
  const { config, warnings } = await hookSettings(archive).resolve({ hooks: { promptTokens: 99_999 } });
  expect(config.hooks.promptTokens).toBe(300);
  expect(warnings).toEqual([
    "the project's settings: hooks.promptTokens is 99999, expected a whole number from 0 to 2500; 300 is used.",
  ]);
});
