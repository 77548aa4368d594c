import { expect, test } from 'vitest';
import { settingName } from './setting-names.ts';

test('a setting is called by its name, a new one by the words of its key', () => {
  expect(settingName('ui.showTokenEstimates')).toBe('Show token estimates');
  expect(settingName('some.brandNewThing')).toBe('Brand new thing');
});
