import { expect, test } from 'vitest';
import { choiceTitle, settingName, settingValueText } from './setting-names.ts';

test('a setting is called by its name, an agent by its own, a new one by the words of its key', () => {
  expect(settingName('ui.showTokenEstimates')).toBe('Show token estimates');
  expect(settingName('agents.vscode-copilot')).toBe('Copilot in VS Code');
  expect(settingName('some.brandNewThing')).toBe('Brand new thing');
});

test('values are words, not what the file holds', () => {
  expect(choiceTitle('ui.defaultView', 'timeline')).toBe('Timeline');
  expect(choiceTitle('autoDecay.schedule', 'on-access')).toBe('On access');
  expect(choiceTitle('model.service', 'openai')).toBe('OpenAI-compatible server');
  expect(settingValueText('defaults.autoCreateVersions', false)).toBe('off');
  expect(settingValueText('model.url', '')).toBe('none');
  expect(settingValueText('levels.light', 4)).toBe('4');
});
