import { expect, test } from 'vitest';
import { CLIENTS } from '../clients/clients.ts';
import { bringClient, tryClient } from '../clients/try-client.ts';

/** The smallest of them is part of every run; `npm run clients` tries all. */
const [client] = CLIENTS;
const brought = client ? bringClient(client) : 'no client';

test.skipIf(typeof brought === 'string')(
  'all that a real client of another agent wrote is read once, and none of its files is touched',
  async () => {
    if (!client || typeof brought === 'string') return;
    const trial = await tryClient(client, brought);
    expect(trial).toMatchObject({ sessions: 2, missed: [], changed: [], readOnce: trial.said + trial.calls });
  },
  300_000,
);
