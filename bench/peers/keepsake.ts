import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesIn, type Peer, versionOf } from './peer.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'bin', 'keepsake');

/** Runs it as the plugin and a shell do. Its disk use includes a copy of every session file. */
export function keepsake(folder: string, place: string): Peer {
  // Where an agent has them: a sync of other folders checks everything each time.
  const home = `${place}-home`;
  cpSync(folder, join(home, '.claude', 'projects'), { recursive: true, preserveTimestamps: true });
  const env = { CLAUDE_MEMORY_DIR: place, HOME: home };
  const call = (...args: string[]) => ({ program: process.execPath, args: [PROGRAM, ...args], env });
  let round = 0;
  return {
    name: 'keepsake',
    version: versionOf(process.execPath, [PROGRAM, '--version']),
    get: 'npm run build',
    index: call('sync'),
    again: call('sync'),
    search: (query) => call('search', '--grain', 'session', '--limit', '10', '--json', '--', query),
    sessionsIn: (output) =>
      (JSON.parse(output) as { items: { sessionId: string }[] }).items.map(({ sessionId }) => sessionId),
    hook: (prompt) => ({
      program: process.execPath,
      args: [join(ROOT, 'plugin', 'dist', 'hook.cjs')],
      env,
      input: JSON.stringify({
        session_id: `aaaaaaaa-0000-4000-8000-${String(round++).padStart(12, '0')}`,
        cwd: busiestFolder(place),
        hook_event_name: 'UserPromptSubmit',
        prompt,
      }),
    }),
    disk: () => bytesIn(place),
  };
}

/** The working folder of most sessions. */
function busiestFolder(place: string): string {
  const manifests = readdirSync(join(place, 'projects')).map(
    (project) =>
      JSON.parse(readFileSync(join(place, 'projects', project, 'manifest.json'), 'utf8')) as {
        originalPath: string;
        sessions: object;
      },
  );
  const sizes = manifests.map(({ originalPath, sessions }) => ({
    originalPath,
    size: Object.keys(sessions).length,
  }));
  return sizes.sort((a, b) => b.size - a.size)[0]?.originalPath ?? '';
}
