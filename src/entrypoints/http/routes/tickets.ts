import { z } from 'zod';
import { route } from '../route.ts';

export const ticketRoutes = [
  route({
    method: 'post',
    path: '/api/tickets',
    about:
      'Creates a ticket that opens the page once, within two minutes, as `/?token=TICKET`. Safe if others see the address.',
    body: z.strictObject({}),
    status: 201,
    answer: z.object({ ticket: z.string() }),
    run: async ({ ticket }) => ({ ticket: ticket() }),
  }),
] as const;
