import { secretHash } from '../../core/hub/hub-secret.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Hub } from './hub.ts';

/** Who sent a request. `device` is empty for a token that is bound to none. */
export type HubCaller = { member: string; name: string; device: string; token: string };

/**
 * Who a request is from, by its `Authorization` header. The only place that knows how members sign in: another way,
 * such as single sign-on, is added here.
 */
export async function signIn(hub: Hub, authorization: string | undefined): Promise<HubCaller> {
  const [, bearer = ''] = /^Bearer (\S{1,200})$/i.exec(authorization ?? '') ?? [];
  const hash = secretHash('token', bearer);
  const found = hash === undefined ? undefined : await hub.database.findToken(hash, hub.clock.now());
  if (!found)
    throw new Fault('unauthorized', 'The token is missing, wrong, expired or revoked.', {
      hint: 'Ask an admin of the hub for an invitation, then `keepsake remote add ADDRESS --invite CODE`.',
    });
  return { member: found.member, name: found.memberName, device: found.device, token: found.hash };
}
