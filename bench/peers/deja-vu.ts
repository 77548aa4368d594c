import { bytesIn, type Peer, versionOf } from './peer.ts';

/** By its own page for those who build it into a tool: the store and the place of the index by its variables, answers as JSON. */
export function dejaVu(folder: string, place: string): Peer {
  const env = { DEJA_INDEX_DIR: place, DEJA_STORES: 'claude', DEJA_CLAUDE_ROOT: folder };
  const call = (...args: string[]) => ({ program: 'deja', args, env, none: 1 });
  return {
    name: 'deja-vu',
    version: versionOf('deja', ['version']),
    get: 'npm i -g @vshulcz/deja-vu',
    // It has no command of its own for it: the first question makes the index.
    index: call('last', '1', '--json'),
    again: call('last', '1', '--json'),
    search: (query) => call('search', '--json', '--limit', '10', query),
    sessionsIn: (output) =>
      output.trim() === ''
        ? []
        : ((JSON.parse(output) as { hits?: { session: { id: string } }[] }).hits?.map(
            ({ session }) => session.id,
          ) ?? []),
    hook: (prompt) => ({
      ...call('hook-prompt'),
      input: JSON.stringify({
        session_id: 'bench',
        cwd: folder,
        hook_event_name: 'UserPromptSubmit',
        prompt,
      }),
    }),
    disk: () => bytesIn(place),
  };
}
