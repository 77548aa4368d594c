import type { Answer } from '../../api/call-api.ts';

export type Setting = Answer<'get /api/memory/config'>['items'][number];
export type SettingValue = string | number | boolean;

export type Field =
  | { kind: 'switch'; value: boolean }
  | { kind: 'choice'; value: string; choices: readonly string[] }
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string };

/** How a setting is shown and changed. */
export function fieldOf({ value, choices }: Setting): Field {
  if (typeof value === 'boolean') return { kind: 'switch', value };
  if (typeof value === 'number') return { kind: 'number', value };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return choices?.includes(text) ? { kind: 'choice', value: text, choices } : { kind: 'text', value: text };
}

const GROUPS: Record<string, string> = {
  record: 'Recording',
  ui: 'The page',
  defaults: 'Defaults of new sessions',
  storage: 'Storage',
  levels: 'Levels of compression',
  compression: 'Compression',
  keepit: 'Keepits',
  keepitDecay: 'Keepit decay',
  autoDecay: 'Retention',
  hooks: 'Inside the agent',
  memory: 'Rolling memory',
  synthesis: 'Journal',
  agents: 'Other agents',
  model: 'Models',
  remote: 'Remotes',
};

/** Settings by group, in an order that begins with what is changed most. */
export function groupsOf(
  settings: readonly Setting[],
): { name: string; title: string; settings: Setting[] }[] {
  const groups = new Map<string, Setting[]>(Object.keys(GROUPS).map((name) => [name, []]));
  for (const setting of settings) {
    // Keepsake writes it itself.
    if (setting.key === 'version') continue;
    const name = setting.key.split('.')[0] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), setting]);
  }
  return [...groups]
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => ({ name, title: GROUPS[name] ?? name, settings: list }));
}
