import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { openProgram, rankingFlags, SMALL_INDEX } from './compiled-chunks.ts';
import { compiledPlace } from './config/compiled-place.ts';
import { readEnvironment } from './config/environment.ts';
import { VERSION } from './config/version.ts';
import { writeOut } from './entrypoints/cli/terminal/output.ts';

type CommandRoot = typeof import('./main.ts');
/** Names that the build puts here. */
declare const MAIN_FILE: string;
declare const STORE_FILE: string;

// The entry of the commands.
const COMMAND = /^[a-z][a-z-]{1,19}$/;
/** Of shorter ones the flags cost more to set than they save. */
const RANKING = /^(?:search|recall)$/;
const argv = process.argv.slice(2);
if (argv.length === 1 && /^(--version|-[vV])$/.test(argv[0]!)) writeOut(1, `${VERSION}\n`);
else start();

function start(): void {
  const built = { dist: import.meta.dirname, main: MAIN_FILE, store: STORE_FILE };
  const role = COMMAND.exec(argv[0] ?? '')?.[0] ?? 'command';
  const { archive } = readEnvironment();
  const isShort = RANKING.test(role) && !argv.includes('--batch') && isSmallIndex(archive);
  // Before anything is loaded, since what is compiled is of use only with the flags that it was stored with. It ends before
  // what a collection in the background frees is of use, too.
  if (isShort) setFlagsFromString(`${rankingFlags(archive)} --no-incremental-marking`);
  const stored = isShort ? `${role}-short` : role;
  const { root, keep } = openProgram<CommandRoot>(built, stored, compiledPlace(archive));
  // A word that is no command ends with another status.
  process.once('exit', (status) => {
    if (status === 0) keep();
  });
  void root.startCommand(argv);
}

/** A search builds an index that is missing, and ranks a large one for longer: both pay for being optimized. */
function isSmallIndex(archive: string): boolean {
  try {
    const { size } = statSync(join(archive, 'index.sqlite'));
    return size > 0 && size <= SMALL_INDEX;
  } catch {
    return false;
  }
}
