import type { Command } from 'commander';
import { type Hub, openHub } from '../../../app/hub/hub.ts';
import type { Cli } from '../cli.ts';

export type HubPlaceOptions = { data?: string; database?: string };

/** Every part of the command asks where the data is. */
export function hubPlaceOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'store everything in one SQLite file in this folder')
    .option('--database <address>', 'PostgreSQL 15 or newer: postgres://user@host/name');
}

/** Opens the hub's data for one piece of work. */
export async function withHub<T>(
  cli: Cli,
  { data, database }: HubPlaceOptions,
  work: (hub: Hub) => Promise<T>,
): Promise<T> {
  const parts = await cli.host.openHub({ data, database });
  try {
    return await work(await openHub(parts));
  } finally {
    await parts.database.close();
  }
}
