import { expect, test } from 'vitest';
import { AGENT_TABLE } from '../../src/core/model/agent.ts';
import { SETTINGS } from '../../src/core/model/config.ts';
import { settingName } from '../../ui/src/components/settings/setting-names.ts';
import { agentTitle } from '../../ui/src/text/agent-titles.ts';

test('the page and the core name every agent alike, except for the first letter', () => {
  const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
  expect(AGENT_TABLE.map(({ id }) => lower(agentTitle(id)))).toEqual(
    AGENT_TABLE.map(({ name }) => lower(name)),
  );
});

test('no setting has its key as name, and no two of a group have the same name', () => {
  const named = [...SETTINGS.keys()].map((key) => ({
    key,
    name: settingName(key),
    // What one gets of a key without a name.
    raw: settingName(`none.${key.split('.').at(-1)}`),
  }));
  const groups = named.map(({ key, name }) => `${key.split('.')[0]}: ${name}`);
  expect(groups.filter((it, at) => groups.indexOf(it) !== at)).toEqual([]);
  const unnamed = named.filter(({ key, name, raw }) => name === raw && !key.startsWith('agents.'));
  // Their keys are plain words already; Keepsake writes the version itself.
  expect(unnamed.map(({ key }) => key)).toEqual([
    'version',
    'defaults.compressionPreset',
    'autoDecay.schedule',
    'model.service',
    'model.keyFile',
    'ui.showTokenEstimates',
  ]);
});
