// `npm run clients [hooks] [AGENT...]`: the real clients of other agents, offline, and how much of what they wrote is read.
import { CLIENTS } from './clients.ts';
import { bringClient, tryClient } from './try-client.ts';
import { tryHooks } from './try-hooks.ts';

const [first, ...rest] = process.argv.slice(2);
const asked = first === 'hooks' ? rest : process.argv.slice(2);
let failed = 0;
if (first === 'hooks') await hooks();
else await sessions();
process.exitCode = failed > 0 ? 1 : 0;

/** A rule that was said to Claude Code reaches the others, and no word of it becomes their user's. */
async function hooks(): Promise<void> {
  for (const client of CLIENTS.filter(({ trustsHooks }) => trustsHooks)) {
    if (asked.length > 0 && !asked.includes(client.agent)) continue;
    const brought = bringClient(client);
    if (typeof brought === 'string') {
      console.log(`${client.agent.padEnd(9)} ${brought}`);
      continue;
    }
    const { agent, version, isHeard, yours, left } = await tryHooks(client, brought);
    if (!isHeard || yours.length !== 1 || left.length > 0) failed++;
    console.log(
      `${agent.padEnd(9)} ${version.padEnd(10)} rule of Claude Code ${isHeard ? 'heard' : 'NOT HEARD'}; yours: ${JSON.stringify(yours)}; of the rule in its session: ${left.length}`,
    );
  }
}

async function sessions(): Promise<void> {
  console.log('agent     version    sessions  messages  calls  read once  ms a MB  changed by reading');
  for (const client of CLIENTS.filter(({ agent }) => asked.length === 0 || asked.includes(agent))) {
    const brought = bringClient(client);
    if (typeof brought === 'string') {
      console.log(`${client.agent.padEnd(9)} ${brought}`);
      continue;
    }
    try {
      const {
        agent,
        version,
        sessions,
        wantedSessions,
        said,
        calls,
        readOnce,
        missed,
        bytes,
        millis,
        changed,
      } = await tryClient(client, brought);
      const share = `${readOnce} of ${said + calls}`;
      const speed = Math.round(millis / (bytes / 1e6));
      console.log(
        `${agent.padEnd(9)} ${version.padEnd(10)} ${String(sessions).padEnd(9)} ${String(said).padEnd(9)} ${String(calls).padEnd(6)} ${share.padEnd(10)} ${String(speed).padEnd(8)} ${changed.length === 0 ? 'nothing' : changed.join(', ')}`,
      );
      if (missed.length > 0 || changed.length > 0 || sessions !== wantedSessions) failed++;
      for (const it of missed) console.log(`          ${it}`);
    } catch (error) {
      failed++;
      console.log(
        `${client.agent.padEnd(9)} ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
      );
    }
  }
}
