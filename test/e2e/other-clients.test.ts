import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../clients/clients.ts';
import { bringClient, tryClient } from '../clients/try-client.ts';
import { tryHooks } from '../clients/try-hooks.ts';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';

/** The first of them is part of every run; `KEEPSAKE_CLIENTS=codex,gemini` tries these, `npm run clients` all. */
const asked = (process.env.KEEPSAKE_CLIENTS ?? CLIENTS[0]?.agent ?? '').split(',');
const claude = claudeClient();

describe.each(CLIENTS.filter(({ agent }) => asked.includes(agent)))('the real client of $agent', (client) => {
  const brought = bringClient(client);

  test.skipIf(typeof brought === 'string')(
    'all that it wrote is read once, and none of its files is touched',
    async () => {
      if (typeof brought === 'string') return;
      const trial = await tryClient(client, brought);
      expect(trial).toMatchObject({
        sessions: 2,
        missed: [],
        changed: [],
        readOnce: trial.said + trial.calls,
      });
    },
  );

  test.skipIf(typeof brought === 'string' || 'missing' in claude)(
    'what is said to Claude Code is known to its next session, and the other way round, without a sync',
    async () => {
      if (typeof brought === 'string' || 'missing' in claude) return;
      const cleanUp = builtCli();
      try {
        const { yours, heardByClaude, heardOfClaude, heardItself, ...trial } = await tryHooks(
          client,
          brought,
          claude.path,
        );
        expect(trial).toMatchObject({ left: [], changed: [] });
        expect([heardByClaude, heardOfClaude, heardItself]).not.toContain('NO');
        for (const text of yours) expect(text).not.toContain('pnpm');
      } finally {
        cleanUp();
      }
    },
  );
});
