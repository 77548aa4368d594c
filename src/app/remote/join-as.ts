import { joinText, signed } from '../../core/remote/device-key.ts';
import type { RemoteStore } from '../../ports/remotes.ts';
import type { Device } from '../segment/remote-record.ts';

/** Makes a device known to a store that has members; without an invitation by the token that is here already. */
export async function joinAs(
  store: RemoteStore,
  device: Device,
  invitation: string | undefined,
): Promise<{ member: string; key: string } | undefined> {
  return store.join?.({
    invitation,
    publicKey: device.publicKey,
    deviceName: device.name,
    prove: (secret) => signed(joinText(secret), device),
  });
}
