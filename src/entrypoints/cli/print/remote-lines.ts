import type { AddedRemote } from '../../../app/remote/add-remote.ts';
import type { RemoteLeft } from '../../../app/remote/purge-sealed.ts';
import type { RemoteStatus } from '../../../app/remote/remote-status.ts';
import type { Preview } from '../../../app/remote/share.ts';
import type { RemoteSync } from '../../../app/segment/remote-sync.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural } from '../terminal/quantities.ts';

export function addedLines({ remote, traits, devices, key }: AddedRemote): string[] {
  const lines = [`Added ${remote.name}: ${cleanLine(remote.address)}. Nothing was sent.`];
  for (const note of traits.notes) lines.push(note);
  if (traits.deletes === 'not by us')
    lines.push('Data sent there may stay there forever, even after a purge.');
  if (key !== undefined)
    lines.push(
      '',
      'The key of this remote. Your other machines need it; without it nobody can read the stored data:',
      `  ${key}`,
      `On the next machine: keepsake remote add ${quoted(cleanLine(remote.address))} --key ${key}`,
      '',
      'Next: keepsake remote share --all, keepsake remote preview, keepsake remote approve, keepsake remote sync',
    );
  else if (remote.member !== undefined)
    lines.push(
      `You are ${cleanLine(remote.member)} there. ${plural(devices, 'machine')} sent data so far.`,
      'Next: keepsake remote share PROJECT, keepsake remote preview, keepsake remote approve, keepsake remote sync',
    );
  else lines.push(`${plural(devices, 'other machine')} there. Next: keepsake remote sync`);
  if (remote.pull === 'here')
    lines.push(
      'This machine receives only the projects that you work on here: those with sessions, and the checkout in which you sync.',
    );
  return lines;
}

/** As a shell takes it: an address of S3 may hold "?" and "&". */
function quoted(address: string): string {
  return /[^\w@%+=:,./~-]/.test(address) ? `'${address.replaceAll("'", "'\\''")}'` : address;
}

const MOST_SESSIONS = 20;
const MOST_PLACES = 3;

export function previewLines({ remote, projects }: Preview): string[] {
  if (projects.length === 0) return ['Nothing is shared. Share a project: keepsake remote share PROJECT'];
  const lines: string[] = [];
  for (const { name, level, sessions, records, bytes: size, secret, approved } of projects) {
    const state = approved ? 'approved' : 'waiting for approval';
    lines.push(
      `${cleanLine(name)} (${level}, ${state}): ${plural(sessions.length, 'session')}, ${bytes(size)}, ${plural(records, 'record')}`,
    );
    const masked = sessions.filter((it) => it.masked > 0);
    if (masked.length > 0)
      lines.push(
        `  Secrets are masked in ${plural(masked.length, 'session')}, ${plural(
          masked.reduce((sum, it) => sum + it.masked, 0),
          'place',
        )}.`,
      );
    if (secret > 0) lines.push(`  Not sent: ${plural(secret, 'private session')}.`);
    for (const session of sessions.slice(0, MOST_SESSIONS)) {
      lines.push(
        `  ${session.sessionId.slice(0, 8)}  ${bytes(session.bytes)}  ${cleanLine(session.title).slice(0, 60)}`,
      );
      for (const { line, around } of session.places.slice(0, MOST_PLACES))
        lines.push(`    line ${line}: …${cleanLine(around)}…`);
      if (session.masked > MOST_PLACES)
        lines.push(`    and ${count(session.masked - MOST_PLACES)} more masked places`);
    }
    if (sessions.length > MOST_SESSIONS)
      lines.push(`  and ${count(sessions.length - MOST_SESSIONS)} more; --json lists them all`);
  }
  if (projects.some(({ approved }) => !approved))
    lines.push(`Approve it: keepsake remote approve ${remote.name}`);
  return lines;
}

export function syncLines({
  remote,
  pulled,
  pushed,
  purges,
  withdrawn,
  waiting,
  notes,
}: RemoteSync): string[] {
  const lines = [
    `${remote}: received ${plural(pulled.sessions, 'session')} and ${plural(pulled.records, 'record')} (${bytes(pulled.bytes)}), sent ${plural(pushed.sessions, 'session')} and ${plural(pushed.records, 'record')} (${bytes(pushed.bytes)}).`,
  ];
  if (purges > 0) lines.push(`Applied ${plural(purges, 'purge')} of other machines.`);
  if (withdrawn > 0) lines.push(`Deleted ${plural(withdrawn, 'private session')} there.`);
  if (pushed.restored > 0)
    lines.push(`The remote had lost ${plural(pushed.restored, 'file')} of other machines; restored.`);
  lines.push(...notes.map(cleanLine));
  if (waiting.length > 0)
    lines.push(`Not sent before \`keepsake remote approve\`: ${waiting.map(cleanLine).join(', ')}`);
  return lines;
}

export function remoteStatusLines(status: RemoteStatus, local: (utc: string) => string): string[] {
  const { name, address, encrypt, lastSync, trouble, troubleSince, shares, devices, purges } = status;
  const lines = [
    `${name}: ${cleanLine(address)}, ${encrypt ? 'encrypted' : 'readable'}, ${lastSync ? `last sync ${local(lastSync)}` : 'never synced'}`,
  ];
  if (trouble) lines.push(`  Not reached since ${local(troubleSince ?? '')}: ${cleanLine(trouble)}`);
  for (const share of shares)
    lines.push(
      `  ${cleanLine(share.name)}: ${share.approved ?? 'nothing'} is sent${share.approved === share.level ? '' : `, ${share.level} waiting for approval`}`,
    );
  for (const device of devices) {
    const state = device.isThis
      ? 'this machine'
      : device.isRetired
        ? 'retired'
        : `last seen ${local(device.lastSeen)}`;
    lines.push(
      `  ${cleanLine(device.name)} (${device.id.slice(0, 8)}): ${state}, ${plural(device.segments, 'segment')}`,
    );
  }
  for (const { id, at, confirmed, missing } of purges) {
    const rest = missing.length === 0 ? '' : `; not yet: ${missing.map(cleanLine).join(', ')}`;
    lines.push(
      `  Purge ${id} of ${local(at)}: ${confirmed.length} of ${confirmed.length + missing.length} machines confirmed${rest}`,
    );
  }
  return lines;
}

/** After a purge: the archive is done, copies elsewhere need a sync. */
export function purgedLines(left: readonly RemoteLeft[]): string[] {
  return left.map(({ remote, segments, trouble }) => {
    const sync = `\`keepsake remote sync${remote && ` ${remote}`}\``;
    return trouble === undefined
      ? `The remote ${remote} has ${plural(segments, 'segment')} that may contain it until ${sync} replaces them.`
      : `${remote ? `The remote ${remote}` : 'A remote'} may contain it (${trouble}). ${sync} deletes it there.`;
  });
}
