import { z } from 'zod';
import { mapSession } from '../../../app/compress/session-map.ts';
import { OUTCOMES } from '../../../core/model/exchange.ts';
import { MARK_KINDS, TOKEN_KINDS } from '../../../core/stats/session-map.ts';
import { namedSession } from '../call-ref.ts';
import { projectQuery } from '../params.ts';
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
      'A session to look at: its exchanges along time, commits, decisions, keepits, compactions and errors in them, and what its tokens are.',
    query: projectQuery,
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
            line: int.meta({ description: 'its first line of L1' }),
            outcome: z.enum(OUTCOMES),
            seconds: int,
            tokens: int,
            tools: int,
            errors: int,
          }),
        ),
        marks: z.array(
          z.object({
            kind: z.enum(MARK_KINDS),
            block: int.meta({ description: 'the index of its exchange in `blocks`' }),
            at: z.number().meta({ description: 'where in the exchange, from 0 to 1' }),
            src: int,
            text: z.string(),
          }),
        ),
        original: z.array(shareSchema),
        compressed: z
          .object({ versions: z.array(z.string()), shares: z.array(shareSchema) })
          .nullable()
          .meta({ description: 'of the shortest version of each part; null where there is none' }),
      })
      .meta({ id: 'SessionMap' }),
    run: async (call) => mapSession(call.world, (await namedSession(call)).row, call.signal),
  }),
] as const;
