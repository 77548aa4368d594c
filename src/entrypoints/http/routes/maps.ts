import { z } from 'zod';
import { mapSession, stripOfSession } from '../../../app/compress/session-map.ts';
import { OUTCOMES } from '../../../core/model/exchange.ts';
import { MARK_KINDS, TOKEN_KINDS } from '../../../core/stats/session-map.ts';
import { namedSession } from '../call-ref.ts';
import { projectParam } from '../params.ts';
import { route } from '../route.ts';

const int = z.number().int();
const shareSchema = z
  .object({ kind: z.enum(TOKEN_KINDS), tool: z.string().optional(), tokens: int })
  .meta({ id: 'TokenShare', description: 'tokens of one kind; `output` by the tool that printed it' });

export const mapRoutes = [
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/map',
    about:
      'Overview of a session: its exchanges over time with commits, decisions, keepits, compactions and errors, and its tokens by kind.',
    query: z.strictObject({
      ...projectParam,
      view: z
        .enum(['whole', 'strip'])
        .optional()
        .meta({ description: '`strip`: only exchanges and marks, without tokens; fast for long sessions' }),
    }),
    answer: z
      .object({
        sessionId: z.string(),
        projectId: z.string(),
        blocks: z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            ts: z.string(),
            src: int,
            line: int.meta({ description: 'number of its first L1 line' }),
            outcome: z.enum(OUTCOMES),
            seconds: int,
            bytes: int.meta({ description: 'bytes of the original, up to the next exchange' }),
            tokens: int.optional().meta({ description: 'absent with `view=strip`' }),
            tools: int,
            errors: int,
          }),
        ),
        marks: z.array(
          z.object({
            kind: z.enum(MARK_KINDS),
            block: int.meta({ description: 'the index of its exchange in `blocks`' }),
            at: z.number().meta({ description: 'position in the exchange, from 0 to 1' }),
            src: int,
            text: z.string(),
          }),
        ),
        original: z.array(shareSchema),
        compressed: z
          .object({ versions: z.array(z.string()), shares: z.array(shareSchema) })
          .nullable()
          .meta({ description: 'tokens of the shortest version of each part; null if there is none' }),
      })
      .meta({ id: 'SessionMap' }),
    run: async (call) => {
      const { row } = await namedSession(call);
      return call.query.view === 'strip'
        ? stripOfSession(call.world, row)
        : mapSession(call.world, row, call.signal);
    },
  }),
] as const;
