import { z } from 'zod';
import { route } from '../route.ts';

export const ticketRoutes = [
  route({
    method: 'post',
    path: '/api/tickets',
    about:
      'What opens the page once, within two minutes, as `/?token=TICKET`: safe where others see the address.',
    body: z.strictObject({}),
    status: 201,
    answer: z.object({ ticket: z.string() }),
    run: async ({ ticket }) => ({ ticket: ticket() }),
  }),
] as const;
