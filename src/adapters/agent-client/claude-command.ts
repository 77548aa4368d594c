import { spawn } from 'node:child_process';
import { platformOf } from '../../core/model/platform.ts';
import type { AgentClient, ClientRun } from '../../ports/agent-client.ts';

const MOST_OUTPUT = 100_000;

/** The `claude` that the shell would find. */
export function claudeCommand(command = platformOf(process.platform).claude): AgentClient {
  return {
    async version() {
      const ran = await run(command, ['--version']).catch(() => undefined);
      return ran?.status === 0 ? ran.output.trim().split('\n')[0] : undefined;
    },
    run: (args) => run(command, args),
  };
}

function run(command: string, args: string[]): Promise<ClientRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (bytes: Buffer) => {
      if (output.length < MOST_OUTPUT) output += bytes.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}
