import { waitingSessions } from '../../../app/maintenance/waiting-sessions.ts';
import type { World } from '../../../app/world.ts';
import type { FoundTranscript } from '../../../ports/transcripts.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, plural } from '../terminal/quantities.ts';

/** Before a long sync: what there is to read, with the newest sessions, so that nobody waits before an empty screen. */
export async function printWaitingSessions(
  console: Console,
  world: World,
  files: FoundTranscript[],
): Promise<void> {
  const look = await waitingSessions(world, files);
  if (!look) return;
  const { sessions, newest } = look;
  console.note(`${plural(sessions, 'session file')} to read, ${bytes(look.bytes)}. The newest:`);
  for (const { mtimeMs, cwd, ask } of newest) {
    const when = world.clock.local(new Date(mtimeMs).toISOString());
    const folder = cleanLine(cwd.split(/[\\/]/).at(-1) ?? '');
    console.note(`  ${when}  ${folder}  ${cleanLine(ask)}`);
  }
  console.note('Reading all of them once. You can stop with Ctrl-C; the next `keepsake` continues.');
}
