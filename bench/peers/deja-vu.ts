import { bytesIn, type Peer, versionOf } from './peer.ts';

/** Runs it as its documentation for integrators says: store and index folder from variables, JSON answers. */
export function dejaVu(folder: string, place: string): Peer {
  const env = { DEJA_INDEX_DIR: place, DEJA_STORES: 'claude', DEJA_CLAUDE_ROOT: folder };
  const call = (...args: string[]) => ({ program: 'deja', args, env, none: 1 });
  return {
    name: 'deja-vu',
    version: versionOf('deja', ['version']),
    get: 'npm i -g @vshulcz/deja-vu',
    // It has no index command: the first query builds the index.
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
