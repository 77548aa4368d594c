import { spawn } from 'node:child_process';

/** Opens an address in the user's browser; false when nothing here can. */
export function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = opener(address);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(address: string): [command: string, ...args: string[]] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}
