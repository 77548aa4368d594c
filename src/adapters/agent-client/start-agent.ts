import { spawn } from 'node:child_process';
import { Fault } from '../../core/model/fault.ts';

/** Starts an agent in this terminal, in a folder, and gives the status that it ended with. */
export function startAgent(command: string, args: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd });
    child.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new Fault('not-found', `\`${command}\` can't be started here: ${cause.code ?? cause.message}.`, {
          hint: 'Omit --start to print the command instead.',
          cause,
        }),
      ),
    );
    child.on('close', (status) => resolve(status ?? 1));
  });
}
