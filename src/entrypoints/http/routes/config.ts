import { z } from 'zod';
import { getSettings, listSettings, setSetting } from '../../../app/settings/configure.ts';
import type { World } from '../../../app/world.ts';
import { TIER_PRESETS } from '../../../core/compress/choose/tiers.ts';
import { WEIGHT_PRESETS } from '../../../core/keepit/weight.ts';
import { STRATEGIES } from '../../../core/model/composition.ts';
import { Fault } from '../../../core/model/fault.ts';
import { AGGRESSIVENESS, KEEPIT_MODES, tierSchema } from '../../../core/model/version.ts';
import { projectPageQuery, projectQuery } from '../params.ts';
import { route } from '../route.ts';
import { countedPageOf, inPages } from '../schemas/page.ts';

const settingSchema = z
  .object({
    key: z.string(),
    value: z.unknown(),
    source: z.string().meta({ description: 'default, global or project' }),
    default: z.unknown(),
    about: z.string(),
    choices: z.array(z.string()).optional().meta({ description: 'its possible values' }),
  })
  .meta({ id: 'Setting' });

async function settingNamed(world: World, key: string, project: string | undefined) {
  const row = (await getSettings(world, key, project)).find((it) => it.key === key);
  if (row) return row;
  throw new Fault('usage', `${key} is a group of settings.`, { hint: 'Name one of them.' });
}

export const configRoutes = [
  route({
    method: 'get',
    path: '/api/memory/config',
    about: 'Lists all settings with values and sources.',
    query: projectPageQuery,
    answer: countedPageOf(settingSchema),
    run: async ({ world, query }) => inPages(await listSettings(world, query.project), query),
  }),
  route({
    method: 'get',
    path: '/api/memory/config/{key}',
    about: 'Shows one setting.',
    query: projectQuery,
    answer: settingSchema,
    run: ({ world, params, query }) => settingNamed(world, params.key, query.project),
  }),
  route({
    method: 'put',
    path: '/api/memory/config/{key}',
    about: 'Changes a setting for all projects or for one. The value is validated first.',
    query: projectQuery,
    body: z.strictObject({
      value: z.union([z.string().max(10_000), z.number(), z.boolean(), z.array(z.string())]),
    }),
    answer: settingSchema,
    current: ({ world, params, query }) => settingNamed(world, params.key, query.project),
    run: ({ world, params, query, body }) => {
      const text = typeof body.value === 'string' ? body.value : JSON.stringify(body.value);
      return setSetting(world, params.key, text, query.project);
    },
  }),
  route({
    method: 'delete',
    path: '/api/memory/config/{key}',
    about: 'Restores the default of a setting.',
    query: projectQuery,
    answer: settingSchema,
    current: ({ world, params, query }) => settingNamed(world, params.key, query.project),
    run: ({ world, params, query }) => setSetting(world, params.key, undefined, query.project),
  }),
  route({
    method: 'get',
    path: '/api/memory/strategies',
    about:
      'Lists possible values: levels and presets of versions, strategies of compositions, weights of keepits.',
    query: projectQuery,
    answer: z.object({
      strategies: z.array(z.enum(STRATEGIES)),
      levels: z.record(z.string(), z.number()),
      presets: z.record(z.string(), z.array(tierSchema)),
      aggressiveness: z.array(z.enum(AGGRESSIVENESS)),
      keepitModes: z.array(z.enum(KEEPIT_MODES)),
      weights: z.record(z.string(), z.number()),
    }),
    run: async ({ world, query }) => {
      const rows = await getSettings(world, 'levels', query.project);
      const levels = Object.fromEntries(
        rows.map((row) => [row.key.replace('levels.', ''), Number(row.value)]),
      );
      return {
        strategies: [...STRATEGIES],
        levels,
        presets: Object.fromEntries(Object.entries(TIER_PRESETS).map(([name, tiers]) => [name, [...tiers]])),
        aggressiveness: AGGRESSIVENESS.filter((name) => name !== 'minimal'),
        keepitModes: [...KEEPIT_MODES],
        weights: { ...WEIGHT_PRESETS },
      };
    },
  }),
] as const;
