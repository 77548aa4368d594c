import { spawn } from 'node:child_process';
import { browserCommand } from '../../core/model/platform.ts';

/** Opens an address in the user's browser; false when nothing here can. */
export function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = browserCommand(process.platform, address);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
