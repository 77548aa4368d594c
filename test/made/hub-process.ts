import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type HubProcess = {
  process: ChildProcess;
  address: string;
  port: number;
  invitation: string | null;
  end(signal?: NodeJS.Signals): Promise<void>;
};

/** The real program as a hub, on loopback. */
export async function hubProcess(
  launcher: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<HubProcess> {
  const child = spawn(process.execPath, [launcher, 'hub', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  let errors = '';
  child.stderr.on('data', (part: Buffer) => {
    errors = (errors + part.toString('utf8')).slice(-20_000);
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (status) => reject(new Error(`the hub ended with ${status}: ${errors}`)));
  });
  const { address, port, invitation } = JSON.parse(line) as Omit<HubProcess, 'process' | 'end'>;
  return {
    process: child,
    address,
    port,
    invitation,
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await exit;
    },
  };
}
