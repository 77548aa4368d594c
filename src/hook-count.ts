import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EVERY, EVERY_DEFAULTS, fitsNumber } from './core/model/number-rule.ts';
import { INPUT_HEAD, SESSION_IN_INPUT, statIfThere, TRANSCRIPT_IN_INPUT } from './hook-input-parts.ts';

const EVENT = /"hook_event_name"\s*:\s*"(PostToolUse|Stop)"/;
/** A project or a session as a name in the archive. */
const NAME = /^[\w~-][\w.~@+-]*$/;
/** After a stop with less than this to read, reading waits for one of the next. */
const LITTLE_BYTES = 32_768;

type Settings = Record<string, unknown>;
/** As `HookPlace`, but anyone may have written it. */
type Place = { project?: unknown; session?: unknown; path?: unknown; settings?: Settings } | undefined;
/** As the `source` of a `SessionState`. */
type Source = { path?: unknown; size?: unknown } | undefined;
type Counted = { folder: string; setting: keyof typeof EVERY_DEFAULTS };
const PLACES: Record<string, Counted> = {
  PostToolUse: { folder: 'tools', setting: 'everyToolCalls' },
  Stop: { folder: 'stops', setting: 'everyStops' },
};

/**
 * Counts a tool call or a stop, and returns whether that is all there is to do. They happen more often than anything else,
 * so it loads nothing: a byte is appended to a file, whose length is the count. What a stop leaves unread is read by
 * whoever wants to know: a search, a recall, the start of another session, the end of this one.
 */
export function countEvent(text: string, archive: string): boolean {
  const head = text.slice(0, INPUT_HEAD);
  const event = EVENT.exec(head)?.[1];
  const session = event === undefined ? undefined : SESSION_IN_INPUT.exec(head)?.[1];
  if (event === undefined || session === undefined) return false;
  const { folder, setting } = PLACES[event]!;
  const hooks = join(archive, 'cache', 'hooks');
  try {
    const count = appended(join(hooks, folder, session));
    const place: Place = jsonIn(join(hooks, 'sessions', `${session}.json`))?.place;
    if (count % every(archive, setting, place) === 0) return false;
    if (event === 'Stop' && !isReadEnough(sourceOf(archive, place), head)) return false;
    // Readers look at sessions that are noted as running; one that was resumed is not, as yet.
    if (event === 'Stop' && !isThere(join(hooks, 'open', session))) return false;
    return !isThere(join(hooks, 'pending', session));
  } catch {
    // An archive that can't be written: the others could do nothing either.
    return true;
  }
}

/** The agent's file as it was when it was last read. */
function sourceOf(archive: string, place: Place): Source {
  const { project, session } = place ?? {};
  const isName = (it: unknown) => typeof it === 'string' && NAME.test(it);
  if (!isName(project) || !isName(session)) return undefined;
  return jsonIn(join(archive, 'cache', 'ingest', String(project), `${session}.json`))?.source;
}

/** What hooks noted, as far as it can be read. */
function jsonIn(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The session was read before, and there is little more of it now. */
function isReadEnough(source: Source, head: string): boolean {
  try {
    const path: unknown = JSON.parse(TRANSCRIPT_IN_INPUT.exec(head)?.[1] ?? 'null');
    if (typeof path !== 'string' || source?.path !== path || typeof source.size !== 'number') return false;
    const more = (statIfThere(path)?.size ?? 0) - source.size;
    return more >= 0 && more < LITTLE_BYTES;
  } catch {
    return false;
  }
}

function appended(file: string): number {
  let handle: number;
  try {
    handle = openSync(file, 'a', 0o600);
  } catch {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    handle = openSync(file, 'a', 0o600);
  }
  try {
    writeSync(handle, '.');
    return fstatSync(handle).size;
  } finally {
    closeSync(handle);
  }
}

/** What the project says comes before what holds for all. */
function every(archive: string, setting: Counted['setting'], place: Place): number {
  const own = timesIn(place?.settings, setting);
  if (own !== undefined) return own;
  const usual = EVERY_DEFAULTS[setting];
  try {
    const text = readFileSync(join(archive, 'config.json'), 'utf8').replace(/^\uFEFF/, '');
    return timesIn(JSON.parse(text), setting) ?? usual;
  } catch {
    return usual;
  }
}

/** As `resolveConfig` has it: nested or with a dotted key, the last one that fits. */
function timesIn(settings: Settings | undefined, setting: string): number | undefined {
  let times: number | undefined;
  for (const [name, value] of Object.entries(settings ?? {})) {
    const found =
      name === 'hooks'
        ? (value as Settings | null)?.[setting]
        : name === `hooks.${setting}`
          ? value
          : undefined;
    if (fitsNumber(EVERY, found)) times = found;
  }
  return times;
}

function isThere(file: string): boolean {
  return statIfThere(file) !== undefined;
}
