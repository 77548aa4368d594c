import { z } from 'zod';
import { keepReplay, lastReplay } from '../../../app/replay/last-replay.ts';
import { replay } from '../../../app/replay/replay.ts';
import { runningFigures } from '../../../app/replay/running-figures.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { BAD_CASES, GOOD_CASES } from '../../../core/replay/replay-case.ts';
import { dayOrTime, projectQuery } from '../params.ts';
import { route } from '../route.ts';

const int = z.number().int();
const came = z.object({ found: int, said: int });
const figures = z
  .object({
    sessions: int,
    prompts: int,
    starts: int,
    startLines: z
      .object({ shown: int, touched: int })
      .meta({ description: 'lines quoted at starts, and those that the session used' }),
    passages: int,
    offers: int,
    tokens: int,
    texts: int,
    used: int,
    instructions: came,
    errors: came,
    decisions: came,
    noted: int.meta({
      description: 'returned errors that notes before a command would show, if these notes were on',
    }),
    searched: came,
    files: z.object({ changedAgain: int, named: int, ofLast: int }),
    contradicted: int,
    offPoint: z.object({ starts: int, passages: int, offers: int }),
  })
  .meta({ id: 'ReplayFigures' });
const place = z.object({
  project: z.string(),
  session: z.string(),
  exchange: z.string(),
  src: int.meta({ description: 'byte offset of its message in the original' }),
  ts: z.string(),
  text: z.string(),
});
const oneCase = z
  .object({
    id: z.string(),
    kind: z.enum([...GOOD_CASES, ...BAD_CASES]),
    title: z.string(),
    before: place,
    again: place,
    said: z
      .object({
        on: z.enum(['start', 'prompt', 'action']),
        text: z.string(),
        to: z
          .object({ project: z.string(), session: z.string(), ts: z.string() })
          .optional()
          .meta({ description: 'for a bad case: the session that would have got it' }),
        offer: z
          .literal(true)
          .optional()
          .meta({ description: 'true if it was an offer, which only names what could be recalled' }),
      })
      .optional()
      .meta({
        description: 'what a hook would have shown; absent if memory knows it but shows it only when asked',
      }),
    noted: z
      .string()
      .optional()
      .meta({ description: 'what a note before the command would show, if these notes were on' }),
    value: z.number(),
  })
  .meta({ id: 'ReplayCase' });
const report = z
  .object({
    first: z.string().nullable(),
    last: z.string().nullable(),
    figures,
    projects: z.array(z.object({ projectId: z.string(), name: z.string(), figures })),
    best: z.array(oneCase),
    unsaid: z.array(oneCase).meta({ description: 'repeated cases that memory would have missed' }),
    worst: z.array(oneCase),
    cases: z.array(oneCase),
  })
  .meta({ id: 'ReplayReport' });
const request = z.strictObject({
  project: z.string().min(1).max(1000).optional(),
  since: dayOrTime.optional(),
});

export const replayRoutes = [
  route({
    method: 'post',
    path: '/api/memory/replay',
    about:
      'Replays the sessions in chronological order: what memory would have shown, where it helps and where it is wrong.',
    body: request,
    answer: report,
    reads: 'index',
    long: async ({ body }) => ({ kind: 'replay', subject: body.project ?? 'all projects', turn: 'replay' }),
    run: async ({ world, body, signal, onProgress }) => {
      const asked = withoutUndefined(body);
      const made = await replay(world, asked, {
        signal,
        onProgress: (done, total, current) => onProgress({ done, total, current }),
      });
      await keepReplay(world, asked, made);
      return made;
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/replay',
    about: 'The report of the last replay; null if there is none.',
    answer: z.object({
      at: z.string().nullable(),
      request: z.object({ project: z.string().optional(), since: z.string().optional() }),
      report: report.nullable(),
    }),
    run: async ({ world }) => {
      const last = await lastReplay(world);
      return { at: last?.at ?? null, request: last?.request ?? {}, report: last?.report ?? null };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/replay/figures',
    about: 'Counts injections since memory was installed: used, contradicted, marked as not helpful.',
    query: projectQuery,
    answer: z.object({
      since: z.string().nullable(),
      injections: int,
      tokens: int,
      known: int,
      used: int,
      contradicted: int,
      unhelpful: int,
    }),
    run: ({ world, query }) => runningFigures(world, query.project),
  }),
] as const;
