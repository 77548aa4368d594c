import { readFileSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import {
  type CheckoutFolders,
  decidingFolders,
  foldersUp,
  isSurelyUnrecorded,
  mainCheckout,
  nothingUnrecorded,
  RECORD_MARKER,
} from './core/model/unrecorded.ts';
import { INPUT_HEAD, statIfThere, TRANSCRIPT_IN_INPUT } from './hook-input-parts.ts';

/** The agent names all of these before anything that a person, a tool or a model wrote. */
const SESSION = /"session_id"\s*:\s*("(?:[^"\\]|\\.)*")/;
const CWD = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/;
const OWN_COMMAND = /"prompt"\s*:\s*"\s*\/keepsake:/;
/** By its text, so that it counts in a file with a slip in it, too. */
const OFF = /"record"\s*:\s*false/;

/**
 * Whether an event is of a session that is kept out of the archive: then a hook ends here, with nothing loaded and nothing
 * written. `started` is the folder that the agent was started in, where it says so.
 */
export function isEventKeptOut(text: string, archive: string, started = ''): boolean {
  const head = text.slice(0, INPUT_HEAD);
  const cwd = started || fieldOf(CWD, head);
  const folders = decidingFolders(cwd, checkoutOf(cwd));
  if (folders.marker.some((folder) => lookAt(`${folder}${sep}${RECORD_MARKER}`))) return true;
  try {
    const known = textOf(join(archive, 'unrecorded.json'));
    const record = !OFF.test(textOf(join(archive, 'config.json')) ?? '');
    if (known === undefined && record) return false;
    const stored = fieldOf(TRANSCRIPT_IN_INPUT, head).split(/[\\/]/).at(-2) ?? '';
    const at = { session: fieldOf(SESSION, head), cwd, folders: folders.setting, stored };
    return isSurelyUnrecorded({ ...nothingUnrecorded(), ...JSON.parse(known ?? '{}') }, at, record);
  } catch {
    // A file that is there and can't be read may keep this session out: nothing is recorded until it can.
    return true;
  }
}

/** The commands of the plugin are answered in any session: one of them turns recording on again. */
export function isOwnCommand(text: string): boolean {
  return OWN_COMMAND.test(text.slice(0, INPUT_HEAD));
}

function fieldOf(field: RegExp, head: string): string {
  try {
    return String(JSON.parse(field.exec(head)?.[1] ?? '""'));
  } catch {
    return '';
  }
}

/** The checkout that a folder is in, as its `.git` says. */
export function checkoutOf(cwd: string): CheckoutFolders | undefined {
  for (const root of foldersUp(cwd)) {
    const git = `${root}${sep}.git`;
    const found = lookAt(git);
    // A folder, as in most checkouts.
    if (found?.isDirectory()) return { root };
    if (found) return { root, main: mainOf(root, git) };
  }
  return undefined;
}

function mainOf(root: string, git: string): string | undefined {
  try {
    return mainCheckout(root, readFileSync(git, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined if there is none. */
function textOf(file: string): string | undefined {
  // A check costs less than a failure, and most archives have neither of them.
  return statIfThere(file) ? readFileSync(file, 'utf8') : undefined;
}

function lookAt(path: string): Stats | undefined {
  try {
    return statIfThere(path);
  } catch {
    return undefined;
  }
}
