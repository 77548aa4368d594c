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
    throw new Fault('unauthorized', 'This invitation is wrong, was used before or is too old.', {
      hint: 'Ask for another one: `keepsake hub member add NAME` prints it.',
    });
  return addOwnDevice(hub, { id: member.id, name: member.name, expiresAt: '' }, claim);
}

/** A token without a device becomes one with a device, as long as it lasts: a CI job pushes by it. */
export async function registerDevice(
  hub: Hub,
  { caller, bearer }: { caller: HubCaller; bearer: string },
  claim: DeviceClaim,
): Promise<Joined> {
  checkClaim(claim, bearer);
  if (caller.device !== '') throw new Fault('forbidden', 'This token belongs to a device already.');
  const own = await hub.database.findToken(caller.token, hub.clock.now());
  if (!own) throw new Fault('unauthorized', 'The token was revoked.');
  return addOwnDevice(hub, { id: caller.member, name: caller.name, expiresAt: own.expiresAt }, claim);
}

function checkClaim({ publicKey, proof }: DeviceClaim, secret: string): void {
  const isProved = isSignedBy(publicKey, joinText(secret), Buffer.from(proof, 'base64'));
  if (!isProved) throw new Fault('forbidden', 'The device did not show that it has the key it names.');
}

async function addOwnDevice(
  hub: Hub,
  member: { id: string; name: string; expiresAt: string },
  { publicKey, deviceName }: DeviceClaim,
): Promise<Joined> {
  const device = deviceOf(publicKey);
  const now = hub.clock.now();
  const known = (await hub.database.devices()).find(({ id }) => id === device);
  if (known && known.member !== member.id)
    throw new Fault('conflict', 'This device belongs to another member.', {
      hint: 'Give each person an archive of their own.',
    });
  const name = deviceName.slice(0, 100);
  await hub.database.addDevice({ id: device, member: member.id, publicKey, name, addedAt: now });
  const token = secretText('token', hub.random(SECRET_BYTES));
  const hash = secretHash('token', token)!;
  await hub.database.addToken({
    ...{ hash, member: member.id, device, label: secretLabel(hash) },
    ...{ createdAt: now, expiresAt: member.expiresAt, revokedAt: null },
  });
  await note(hub, { name: member.name, device }, { repo: '', action: 'join', detail: name });
  return { member: member.name, device, token, key: keyText(hub.key) };
}
