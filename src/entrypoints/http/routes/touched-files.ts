import { z } from 'zod';
import { fileStory, listTouchedFiles } from '../../../app/answer/touched-files.ts';
import { FACT_KINDS } from '../../../app/layers/facts.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { OUTCOMES } from '../../../core/model/exchange.ts';
import { layersRead } from '../call-ref.ts';
import { pageParams, projectParam } from '../params.ts';
import { route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';

const int = z.number().int();
const text = z.string();

export const touchedFileRoutes = [
  route({
    method: 'get',
    path: '/api/memory/touched-files',
    about: 'Lists files that sessions changed or read, most recent first.',
    query: z.strictObject({ ...projectParam, ...pageParams, words: z.string().max(300).optional() }),
    answer: countedPageOf(
      z
        .object({ path: text, projectId: text, projectName: text, sessions: int, last: text })
        .meta({ id: 'TouchedFile' }),
    ),
    run: ({ world, query }) => listTouchedFiles(world, withoutUndefined(query)),
  }),
  route({
    method: 'get',
    path: '/api/memory/touched-files/story',
    about: 'Shows which sessions and exchanges touched a file, and what was decided about it.',
    reads: layersRead,
    query: z.strictObject({ ...projectParam, path: z.string().min(1).max(4096) }),
    answer: z
      .object({
        path: text,
        sessions: z.array(
          z.object({
            projectId: text,
            sessionId: text,
            title: text,
            last: text,
            exchanges: z.array(
              z.object({
                id: text,
                title: text,
                ts: text,
                src: int,
                outcome: z.enum(OUTCOMES),
                commits: z.array(text),
              }),
            ),
          }),
        ),
        decided: z.array(
          z.object({
            id: text,
            kind: z.enum(FACT_KINDS),
            content: text,
            projectId: text,
            ts: text,
            names: z.boolean().meta({ description: 'its text names the file' }),
          }),
        ),
      })
      .meta({ id: 'FileStory' }),
    run: ({ world, query, signal }) => fileStory(world, query.path, query.project, signal),
  }),
] as const;
