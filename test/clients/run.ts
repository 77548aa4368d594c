// `npm run clients [hooks | readers] [AGENT...]`: runs the real clients of other agents offline, and checks that everything they write is read.
import type { Agent } from '../../src/core/model/agent.ts';
import { claudeClient } from '../e2e/claude-client.ts';
import { MEMORY_WRITERS, WRITERS } from '../made/agent-sessions.ts';
import type { Happening } from '../made/happening.ts';
import { CLIENTS, type Client } from './clients.ts';
import { parseSpeed, readSpeed } from './read-speed.ts';
import { readerSizes } from './reader-sizes.ts';
import { bringClient, tryClient } from './try-client.ts';
import { tryHooks } from './try-hooks.ts';

const WIDTHS = [14, 9];
const LONG_SESSION: Happening[] = Array.from({ length: 40 }, (_, at): Happening[] => [
  { kind: 'ask', text: `Why is basket ${at} empty after the login of a customer?` },
  {
    kind: 'answer',
    text: `The cookie of basket ${at} is gone: \`src/basket-${at}.ts\` deletes it before it is read.`,
  },
  {
    kind: 'run',
    command: `npm test -- basket-${at}`,
    output: `${at} passed\n`.repeat(40),
    fails: at % 5 === 0,
  },
]).flat();
const [first, ...rest] = process.argv.slice(2);
const asked = first === 'hooks' ? rest : process.argv.slice(2);
let failed = 0;
if (first === 'hooks') await hooks();
else if (first === 'readers') readers();
else await sessions();
process.exitCode = failed > 0 ? 1 : 0;

/** A rule told to one agent reaches the next one that starts, and none of its words count as the other user's. */
async function hooks(): Promise<void> {
  const claude = claudeClient();
  if ('missing' in claude) {
    console.log(claude.missing);
    failed++;
    return;
  }
  table([
    'agent',
    'version',
    'hears Claude Code',
    'heard by Claude Code',
    'hears itself',
    'its words',
    'yours',
    'left by uninstall',
  ]);
  await eachClient(async (client, brought) => {
    const { version, heardOfClaude, heardByClaude, heardItself, yours, left, changed } = await tryHooks(
      client,
      brought,
      claude.path,
    );
    const isGood =
      heardByClaude !== 'NO' &&
      yours.every((text) => !text.includes('pnpm')) &&
      left.length === 0 &&
      changed.length === 0;
    if (!isGood || [heardOfClaude, heardItself].includes('NO')) failed++;
    table([
      client.agent,
      version,
      heardOfClaude,
      heardByClaude,
      heardItself,
      `${left.length} left`,
      `${yours.length}`,
      changed.join(', ') || 'nothing',
    ]);
  });
}

/** Everything that the clients wrote is read once, and reading changes none of their files. */
async function sessions(): Promise<void> {
  table([
    'agent',
    'version',
    'sessions',
    'messages',
    'calls',
    'read once',
    'ms per MB',
    'lines',
    'changed by reading',
  ]);
  const lines = new Map(readerSizes().map(({ agent, reader, finder }) => [agent, reader + finder]));
  await eachClient(async (client, brought) => {
    const trial = await tryClient(client, brought);
    const { agent, version, said, calls, readOnce, missed, changed } = trial;
    if (missed.length > 0 || changed.length > 0 || trial.sessions !== trial.wantedSessions) failed++;
    const share = `${readOnce} of ${said + calls}`;
    const speed = trial.millisOfMb.toFixed(0);
    table([
      agent,
      version,
      trial.sessions,
      said,
      calls,
      share,
      speed,
      lines.get(client.agent) ?? '',
      changed.join(', ') || 'nothing',
    ]);
    for (const it of missed) console.log(`          ${it}`);
  });
}

/** All readers, including those without a client on npm: size, and speed on a session in the agent's format. */
function readers(): void {
  table(['agent', 'reader', 'finder', 'ms per MB', 'JSON.parse']);
  for (const { agent, reader, finder } of readerSizes()) {
    const write = Object.entries({ ...WRITERS, ...MEMORY_WRITERS }).find(([it]) => it === agent)?.[1];
    const made = write?.(LONG_SESSION).map((line) => Buffer.from(JSON.stringify(line)));
    const [speed, parse] = made ? [readSpeed(agent as Agent, made), parseSpeed(made)] : [];
    table([agent, reader, finder, speed?.toFixed(0) ?? '', parse?.toFixed(0) ?? '']);
  }
}

async function eachClient(
  work: (client: Client, brought: { path: string; version: string }) => Promise<void>,
) {
  for (const client of CLIENTS.filter(({ agent }) => asked.length === 0 || asked.includes(agent))) {
    const brought = bringClient(client);
    if (typeof brought === 'string') {
      console.log(`${client.agent.padEnd(9)} ${brought}`);
      continue;
    }
    try {
      await work(client, brought);
    } catch (error) {
      failed++;
      console.log(
        `${client.agent.padEnd(9)} ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
      );
    }
  }
}

function table(cells: readonly (string | number)[]): void {
  console.log(
    cells
      .map((cell, at) => (at === cells.length - 1 ? `${cell}` : `${cell}`.padEnd(WIDTHS[at] ?? 12)))
      .join(' '),
  );
}
