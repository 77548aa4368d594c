import { join, resolve } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import type { Environment } from './environment.ts';

type Variables = Record<string, string | undefined>;

/** Where a hub keeps its data: as the command says, else as the environment does. */
export function hubDatabase(
  { data, database }: { data?: string | undefined; database?: string | undefined },
  { cwd }: Pick<Environment, 'cwd'>,
  vars: Variables = process.env,
): { folder: string } | { address: string } {
  if (data !== undefined && database !== undefined)
    throw new Fault('usage', '--data and --database contradict each other.', {
      hint: 'Use --data for a folder, or --database for PostgreSQL.',
    });
  if (data !== undefined) return { folder: resolve(cwd, data) };
  // An address in a command line can be read by every user of the machine.
  const address = database ?? vars.KEEPSAKE_HUB_DATABASE;
  if (address === undefined || address === '')
    throw new Fault('usage', 'Missing place for the data of the hub.', {
      hint: 'For a trial: `keepsake hub --data ./hub`. With PostgreSQL: `keepsake hub --database postgres://...`, or KEEPSAKE_HUB_DATABASE.',
    });
  if (/^postgres(?:ql)?:\/\//.test(address)) return { address };
  throw new Fault('usage', 'Not a PostgreSQL URL.', {
    hint: 'It begins with postgres://',
  });
}

/** Where a hub keeps its indexes: as the command says, beside the data, or with what else can be deleted here. */
export function hubCache(
  asked: string | undefined,
  place: { data?: string | undefined; database?: string | undefined },
  { cwd, archive }: Pick<Environment, 'cwd' | 'archive'>,
): string {
  if (asked !== undefined) return resolve(cwd, asked);
  return place.data === undefined ? join(archive, 'cache', 'hub') : join(resolve(cwd, place.data), 'cache');
}
