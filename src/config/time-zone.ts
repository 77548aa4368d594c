import { existsSync, readlinkSync } from 'node:fs';

const ZONES = '/usr/share/zoneinfo/';
const NAME = /^[A-Za-z][\w+-]*(?:\/[A-Za-z][\w+-]*)*$/;

/** `Europe/Zurich`, `UTC`. Read from the system's own link if there is one: Intl takes half of a Node start to load. */
export function timeZone(env: Record<string, string | undefined>, link = '/etc/localtime'): string {
  return nameIn(env.TZ ?? linkedZone(link)) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function linkedZone(link: string): string {
  try {
    return readlinkSync(link).split('/zoneinfo/')[1] ?? '';
  } catch {
    return '';
  }
}

/** Undefined for what is no name of a zone here: Intl knows what Node takes instead. */
function nameIn(zone: string): string | undefined {
  const name = zone.replace(/^:/, '').replace(/^posix\//, '');
  if (/^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal)$/.test(name)) return 'UTC';
  return name.includes('/') && NAME.test(name) && existsSync(ZONES + name) ? name : undefined;
}
