import { z } from 'zod';
import { findProject } from '../../../app/find/project.ts';
import { findSession } from '../../../app/find/session.ts';
import { pendingFor, RUNNABLE, runModel } from '../../../app/maintenance/model-run.ts';
import { dayOf, ledgerCalls, spentToday } from '../../../app/model/ledger.ts';
import { rowsBy, WAYS } from '../../../app/model/ledger-rows.ts';
import { describeModels } from '../../../app/model/models.ts';
import { engineFor } from '../../../app/model/use.ts';
import { page } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { capText, readCap } from '../../../core/model/daily-cap.ts';
import { Fault } from '../../../core/model/fault.ts';
import { asConflict } from '../as-conflict.ts';
import { flagParam, pagesOf } from '../params.ts';
import { route } from '../route.ts';
import { pageOf } from '../schemas/page.ts';
import { spent } from '../schemas/spent.ts';

const int = z.number().int();
const name = z.string().min(1).max(200);
const price = z.object({ input: z.number(), output: z.number() });

export const modelRoutes = [
  route({
    method: 'get',
    path: '/api/memory/models',
    about: 'Shows available models and their cost; with `check`, whether they can be reached.',
    query: z.strictObject({ model: name.optional(), check: flagParam.optional() }),
    answer: z
      .object({
        model: z.string(),
        id: z.string(),
        service: z.string(),
        services: z.array(
          z.object({
            service: z.string(),
            ready: z.boolean(),
            reached: z.boolean().optional(),
            place: z.string().optional(),
            message: z.string(),
            hint: z.string().optional(),
            models: z.array(z.string()).optional(),
          }),
        ),
        names: z.array(
          z.object({
            name: z.string(),
            id: z.string(),
            price: price.nullable(),
            session: z.record(z.string(), z.number()).nullable(),
          }),
        ),
        uses: z.array(z.object({ use: z.string(), on: z.boolean() })),
        cap: z.string(),
        today: z.object(spent),
      })
      .meta({ id: 'Models' }),
    run: ({ world, query }) => describeModels(world, withoutUndefined(query)),
  }),
  route({
    method: 'post',
    path: '/api/memory/models/run',
    about:
      'Runs the enabled model uses on what is waiting: exchanges, concepts, reviews, archives. With `dryRun`, only counts them.',
    reads: 'sessions',
    body: z.strictObject({
      uses: z.array(z.enum(RUNNABLE)).min(1),
      project: z.string().min(1).max(2000).optional(),
      session: z.string().min(1).max(120).optional(),
      model: name.optional(),
      dryRun: z.boolean().optional(),
    }),
    answer: pageOf(
      z.object({
        use: z.enum(RUNNABLE),
        waiting: int.optional(),
        done: int.optional(),
        missing: int.optional(),
        reviewed: z.array(z.looseObject({ id: z.string(), content: z.string() })).optional(),
      }),
    ),
    long: async ({ body }) => ({
      kind: `model for ${body.uses.join(', ')}`,
      subject: body.session ?? body.project ?? 'nothing',
      turn: 'model',
    }),
    run: async ({ world, body, signal, onProgress }) => {
      const { uses, session, model, dryRun } = body;
      const found = session === undefined ? undefined : await findSession(world, session, body.project);
      if (!found && body.project === undefined) throw new Fault('usage', 'Missing `project` or `session`.');
      const project = found?.projectId ?? (await findProject(world, body.project ?? ''));
      const of = withoutUndefined({ session: found?.sessionId as string | undefined });
      const items = [];
      for (const use of uses) {
        if (dryRun) {
          items.push({ use, waiting: await pendingFor(world, use, project, of.session) });
          continue;
        }
        const engine = await engineFor(world, use, project, model).catch(asConflict);
        if (!engine)
          throw new Fault('conflict', `model.use.${use} is off.`, {
            hint: `Turn it on with PUT /api/memory/config/model.use.${use}, or name a \`model\`.`,
          });
        items.push(await runModel(world, engine, { use, project, ...of }, { signal, onProgress }));
      }
      return { items, next: null };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/ledger',
    about: 'Sums of model calls by day, model or purpose, without their text.',
    query: z.strictObject({ ...pagesOf(50), by: z.enum(WAYS).optional() }),
    answer: z.object({
      ...pageOf(z.object({ key: z.string(), ...spent })).shape,
      today: z.object(spent),
      cap: z.string(),
    }),
    run: async ({ world, query }) => {
      const { by = 'day', limit, after } = query;
      const rows = rowsBy(await ledgerCalls(world), by, (at) => dayOf(world, at));
      const list = page(rows, ({ last, key }) => `${last}\u0000${key}`, {
        limit,
        ...withoutUndefined({ after }),
      });
      const items = list.items.map(({ last: _, ...row }) => row);
      return { items, next: list.next, ...(await todayOf(world)) };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/ledger/calls',
    about: 'Lists model calls, newest first.',
    query: z.strictObject(pagesOf(50)),
    answer: z.object({
      ...pageOf(
        z.object({
          at: z.string(),
          call: z.string(),
          state: z.enum(['asked', 'ended']),
          use: z.string(),
          service: z.string(),
          model: z.string(),
          project: z.string().optional(),
          session: z.string().optional(),
          input: int,
          output: int,
          usd: z.number(),
          outcome: z.string().optional(),
          ended: z.boolean(),
        }),
      ).shape,
      today: z.object(spent),
      cap: z.string(),
    }),
    run: async ({ world, query }) => {
      const { limit, after } = query;
      const calls = await ledgerCalls(world);
      const list = page(calls, ({ at, call }) => `${at}\u0000${call}`, {
        limit,
        ...withoutUndefined({ after }),
      });
      return { ...list, ...(await todayOf(world)) };
    },
  }),
] as const;

async function todayOf(world: Parameters<typeof spentToday>[0]) {
  const { config } = await world.settings.resolve();
  const cap = capText(readCap(config.model.dailyCap) ?? 'none');
  return { today: await spentToday(world), cap };
}
