import { expect, test } from 'vitest';
import { SETTINGS } from '../../../core/model/config.ts';
import { CONFIG_DEFAULTS } from '../../../core/model/config-defaults.ts';
import { settingsTemplate, withoutCommentLines, withoutDefaults } from './settings-template.ts';

test('the template holds every setting at its default, explained, and nothing of it is kept', () => {
  const text = settingsTemplate();
  const { version: _, ...defaults } = CONFIG_DEFAULTS;
  const values = JSON.parse(withoutCommentLines(text));
  expect(values).toEqual(defaults);
  for (const { about, key } of SETTINGS.values()) {
    if (key !== 'version') expect(text).toContain(about.split(' ').slice(0, 4).join(' '));
  }
  expect(withoutDefaults(values)).toEqual({});
});

test('what was changed is kept, and nothing else', () => {
  const text = settingsTemplate().replace('"light": 4,', '"light": 7,');
  const values = JSON.parse(withoutCommentLines(text));
  expect(withoutDefaults({ ...values, mine: true })).toEqual({ levels: { light: 7 }, mine: true });
});

test('comments leave their lines empty, and text without any is as it was', () => {
  expect(withoutCommentLines('// a\n{\n  // b\n}\n')).toBe('\n{\n\n}\n');
  expect(withoutCommentLines('{"url": "http://x"}')).toBe('{"url": "http://x"}');
  expect(withoutCommentLines('// only')).toBe('');
});
