import { KEY_BYTES, type RemoteKeys, remoteKeys } from '../../core/remote/remote-key.ts';
import type { Packing } from '../../core/remote/seal-segment.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HubDatabase } from '../../ports/hub-database.ts';

/** What a hub works with. */
export type HubParts = {
  database: HubDatabase;
  clock: Clock;
  random(bytes: number): Buffer;
  packing: Packing;
};

/** A hub that is ready. `key` derives the repository ids on its members' machines; each member gets it when joining. */
export type Hub = HubParts & { key: Buffer; keys: RemoteKeys };

/** Brings the schema up to date. */
export async function openHub(parts: HubParts): Promise<Hub> {
  await parts.database.prepare();
  const stored = await parts.database.setting('key', parts.random(KEY_BYTES).toString('base64'));
  const key = Buffer.from(stored, 'base64');
  return { ...parts, key, keys: remoteKeys(key) };
}
