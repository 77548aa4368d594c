import { fstatSync, mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { readToEnd } from './adapters/machine/read-stdin.ts';
import { checkedArchive } from './config/archive-place.ts';
import { readEnvironment } from './config/environment.ts';
import { hooksAreOff, startedFolder } from './config/hook-guard.ts';
import { answerAction } from './hook-action.ts';
import { countEvent } from './hook-count.ts';
import { isEventKeptOut, isOwnCommand } from './hook-record.ts';

// The entry of every hook. Whatever happens, the agent goes on: nothing here ends with anything but 0.
const LONGEST_MS = 25_000;
const ignore = () => {
  process.exitCode = 0;
};
process.on('uncaughtException', ignore);
process.on('unhandledRejection', ignore);
try {
  start();
} catch {
  ignore();
}

function start(): void {
  if (!isNewEnough(process.versions.node) || hooksAreOff()) return;
  const text = readStdin();
  const environment = readEnvironment();
  if (!text.includes('"hook_event_name"')) return;
  // Before the first byte is written, even before there is an archive.
  const keptOut = isEventKeptOut(text, environment.archive, startedFolder());
  if (keptOut && !isOwnCommand(text)) return;
  if (!isUsable(environment.archive)) return;
  // Node makes the folder of compiled code as it would any other; nobody else may look into the archive.
  process.umask(0o077);
  // The agent gives up on a hook, too; nothing may be left behind then.
  setTimeout(() => process.exit(0), LONGEST_MS).unref();
  checkedArchive(environment.archive);
  if (!keptOut && countEvent(text, environment.archive)) return;
  if (answerAction(text, environment.archive, () => new Date())) return;
  // Reading what was compiled before takes half as long as compiling it.
  enableCompileCache(join(environment.archive, 'cache', 'compiled'));
  import('./hook-main.ts').then(({ main }) => main(text, environment, keptOut)).catch(ignore);
}

/** A hook makes the archive only where its parent is: to make more is for commands, and on some file systems never ends. */
function isUsable(archive: string): boolean {
  const found = statSync(archive, { throwIfNoEntry: false });
  if (!found) mkdirSync(archive, { mode: 0o700 });
  return !found || found.isDirectory();
}

/** As bin/keepsake has it: the SQLite of older ones can lose what was written. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major === 24 ? minor >= 15 : major >= 26;
}

/** Never waits for a person. */
function readStdin(): string {
  try {
    return fstatSync(0).isCharacterDevice() ? '' : readToEnd(0);
  } catch {
    return '';
  }
}
