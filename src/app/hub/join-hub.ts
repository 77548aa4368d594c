import { SECRET_BYTES, secretHash, secretLabel, secretText } from '../../core/hub/hub-secret.ts';
import { Fault } from '../../core/model/fault.ts';
import { deviceOf, isSignedBy, joinText } from '../../core/remote/device-key.ts';
import { keyText } from '../../core/remote/remote-key.ts';
import type { Hub } from './hub.ts';
import { note } from './repo-access.ts';
import type { HubCaller } from './sign-in.ts';

/** A device that joins shows that it has the key that it names. */
export type DeviceClaim = { publicKey: string; deviceName: string; proof: string };
export type Joined = { member: string; device: string; token: string; key: string };

/** An invitation becomes a device with a token of its own, once. */
export async function joinHub(hub: Hub, invitation: string, claim: DeviceClaim): Promise<Joined> {
  checkClaim(claim, invitation);
  const hash = secretHash('invitation', invitation);
  const member = hash === undefined ? undefined : await hub.database.useInvitation(hash, hub.clock.now());
  if (!member)
    throw new Fault('unauthorized', 'The invitation is invalid, used or expired.', {
      hint: 'Ask an admin for a new one: `keepsake hub member add NAME` prints it.',
    });
  return addOwnDevice(hub, { id: member.id, name: member.name, expiresAt: '' }, claim);
}

/**
 * One more device by a token that is known: of a CI job, or of a machine that had to take a new key. It lasts as long as that token,
 * and is revoked with it.
 */
export async function registerDevice(
  hub: Hub,
  { caller, bearer }: { caller: HubCaller; bearer: string },
  claim: DeviceClaim,
): Promise<Joined> {
  checkClaim(claim, bearer);
  const own = await hub.database.findToken(caller.token, hub.clock.now());
  if (!own) throw new Fault('unauthorized', 'The token was revoked.');
  const { expiresAt, label } = own;
  return addOwnDevice(hub, { id: caller.member, name: caller.name, expiresAt, label }, claim);
}

function checkClaim({ publicKey, proof }: DeviceClaim, secret: string): void {
  const isProved = isSignedBy(publicKey, joinText(secret), Buffer.from(proof, 'base64'));
  if (!isProved) throw new Fault('forbidden', 'The device did not prove that it has its key.');
}

async function addOwnDevice(
  hub: Hub,
  member: { id: string; name: string; expiresAt: string; label?: string },
  { publicKey, deviceName }: DeviceClaim,
): Promise<Joined> {
  const device = deviceOf(publicKey);
  const now = hub.clock.now();
  const known = (await hub.database.devices()).find(({ id }) => id === device);
  if (known && known.member !== member.id)
    throw new Fault('conflict', 'This device belongs to another member.', {
      hint: 'Each person needs a separate archive.',
    });
  const name = deviceName.slice(0, 100);
  await hub.database.addDevice({ id: device, member: member.id, publicKey, name, addedAt: now });
  const token = secretText('token', hub.random(SECRET_BYTES));
  const hash = secretHash('token', token)!;
  await hub.database.addToken({
    ...{ hash, member: member.id, device, label: member.label ?? secretLabel(hash) },
    ...{ createdAt: now, expiresAt: member.expiresAt, revokedAt: null },
  });
  await note(hub, { name: member.name, device }, { repo: '', action: 'join', detail: name });
  return { member: member.name, device, token, key: keyText(hub.key) };
}
