import { z } from 'zod';
import { addLink, listLinks, removeLink } from '../../../app/find/links.ts';
import { pageInOrder } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { linkSchema } from '../../../core/model/link.ts';
import { projectPageQuery, projectQuery } from '../params.ts';
import { route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';
import { linkRowSchema } from '../schemas/session.ts';

const text = z.string().min(1).max(2000);

export const linkRoutes = [
  route({
    method: 'get',
    path: '/api/memory/links',
    about: 'Lists sessions offered to another project; `project` is the target.',
    reads: 'nothing',
    query: projectPageQuery,
    answer: countedPageOf(linkRowSchema),
    run: async ({ world, query }) => {
      const all = await listLinks(world, query.project);
      const request = withoutUndefined({ limit: query.limit, after: query.after });
      const page = pageInOrder(all, (row) => `${row.linkedAt}\u0000${row.linkId}`, request);
      return { ...page, total: all.length };
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/links',
    about: 'Offers a session to another project. If the link exists, returns it.',
    body: z.strictObject({
      session: text,
      project: text.optional().meta({ description: 'the project of the session' }),
      to: text.meta({ description: 'the target project' }),
      reason: z.string().max(2000).optional(),
    }),
    answer: linkSchema,
    status: 201,
    run: ({ world, body }) => addLink(world, { ...body, reason: body.reason ?? '' }),
  }),
  route({
    method: 'delete',
    path: '/api/memory/links/{linkId}',
    about: 'Deletes a link; the session stays.',
    reads: 'nothing',
    query: projectQuery,
    answer: linkRowSchema,
    run: ({ world, params, query }) => removeLink(world, params.linkId, query.project),
  }),
] as const;
