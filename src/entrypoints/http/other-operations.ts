import { z } from 'zod';
import { paramAbout, paramSchema } from './params.ts';

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const problem = { default: { description: 'a problem, RFC 9457', content: PROBLEM } };
const { $schema: _, ...jobId } = z.toJSONSchema(paramSchema('jobId'));

/** What the document tells of the ways in that are no routes: a stream, and what opens the page. */
export const OTHER_OPERATIONS = {
  '/api/memory/jobs/{jobId}/events': {
    get: {
      operationId: 'getJobsJobIdEvents',
      tags: ['Jobs'],
      summary: 'A job as server-sent events: its state at once, each change as it comes, until it has ended.',
      parameters: [
        { name: 'jobId', in: 'path', required: true, description: paramAbout('jobId'), schema: jobId },
      ],
      responses: {
        200: {
          description: 'events named `job`; the data of each is a whole Job',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...problem,
      },
    },
  },
  '/api/tickets': {
    post: {
      operationId: 'postTickets',
      tags: ['Care'],
      summary: 'A ticket that opens the page once: `/?token=TICKET`.',
      parameters: [],
      responses: {
        201: {
          description: 'done',
          content: {
            'application/json': {
              schema: { type: 'object', properties: { ticket: { type: 'string' } }, required: ['ticket'] },
            },
          },
        },
        ...problem,
      },
    },
  },
} as const;
