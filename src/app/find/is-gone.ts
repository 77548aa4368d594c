import type { Manifest } from '../../core/model/manifest.ts';

/** Whether the user unregistered or purged a session: sync and hooks do not bring it back, a `register` does. */
export function isGone(manifest: Manifest, session: string): boolean {
  const record = Object.hasOwn(manifest.sessions, session) ? manifest.sessions[session] : undefined;
  if (record) return !record.registered;
  return manifest.tombstones.some((tombstone) => tombstone.kind === 'session' && tombstone.id === session);
}
