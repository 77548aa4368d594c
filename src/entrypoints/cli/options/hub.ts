import type { Command } from 'commander';
import { type Hub, openHub } from '../../../app/hub/hub.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { HubMembers } from '../../../ports/hub-members.ts';
import type { Cli } from '../cli.ts';

export type HubPlaceOptions = { data?: string; database?: string };
/** Where members are managed: on the hub's own data, or over the network with the token of an admin. */
export type HubManageOptions = HubPlaceOptions & { remote?: string; url?: string; tokenEnv?: string };

export const TOKEN_VARIABLE = 'KEEPSAKE_HUB_TOKEN';

/** Every part of the command asks where the data is. */
export function hubPlaceOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'store everything in one SQLite file in this folder')
    .option('--database <address>', 'PostgreSQL 15 or newer: postgres://user@host/name');
}

export function hubManageOptions(command: Command): Command {
  return command
    .option('--remote <name>', 'as an admin, over the network: a hub that this machine joined')
    .option('--url <address>', 'the same from any machine: https://hub.example.com')
    .option('--token-env <variable>', `for --url: variable with the token (default: ${TOKEN_VARIABLE})`)
    .option('--data <folder>', 'on the server itself: the folder of the hub')
    .option('--database <address>', 'on the server itself: postgres://user@host/name');
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

/** Members and roles of a hub, wherever it is; with its address over the network. */
export async function withMembers<T>(
  cli: Cli,
  options: HubManageOptions,
  work: (members: HubMembers, address?: string) => Promise<T>,
): Promise<T> {
  const { data, database, remote, url, tokenEnv = TOKEN_VARIABLE } = options;
  if ([data, database, remote, url].filter((it) => it !== undefined).length > 1)
    throw new Fault('usage', '--remote, --url, --data and --database cannot be combined.', {
      hint: 'Use --remote or --url over the network, --data or --database on the server.',
    });
  if (url !== undefined)
    return cli.host.withoutArchive(tokenIn(cli, tokenEnv), async (world) =>
      work(await membersAt(world, url), url),
    );
  if (remote !== undefined) {
    const world = await cli.world('nothing');
    const { listRemotes, readRemote } = await import('../../../app/segment/remote-record.ts');
    const byAddress = (await listRemotes(world)).find((it) => it.address === remote);
    const { address } = byAddress ?? (await readRemote(world, remote));
    return work(await membersAt(world, address), address);
  }
  const { operatorMembers } = await import('../../../app/hub/manage-members.ts');
  return withHub(cli, options, (hub) => work(operatorMembers(hub)));
}

async function membersAt(world: World, address: string): Promise<HubMembers> {
  const { remotesOf } = await import('../../../app/segment/remote-record.ts');
  const { members } = await (await remotesOf(world)).open(address);
  if (members) return members;
  throw new Fault('usage', `${address} is not a hub.`, { hint: '`keepsake remote` lists your remotes.' });
}

export function tokenIn(cli: Cli, variable: string): string {
  const token = cli.host.variable(variable);
  if (token !== undefined) return token;
  throw new Fault('usage', `The environment variable ${variable} is not set.`, {
    hint: 'An admin of the hub creates a token: keepsake hub member token NAME',
  });
}
