import { idInPath, type Peer, plainWords, versionOf } from './peer.ts';

/** No index and no ranking: files sorted by their number of matching lines. */
export function ripgrep(folder: string): Peer {
  return {
    name: 'ripgrep',
    version: versionOf('rg', ['--version']),
    get: 'a package of your system, or npm: @vscode/ripgrep',
    search: (query) => ({
      program: 'rg',
      args: ['-i', '-w', '-c', '--no-messages', ...plainWords(query).flatMap((word) => ['-e', word]), folder],
      none: 1,
    }),
    sessionsIn(output) {
      const counts = output.split('\n').flatMap((line) => {
        const [, path, lines] = /^(.*):(\d+)$/.exec(line) ?? [];
        return path === undefined ? [] : [{ path, lines: Number(lines) }];
      });
      return counts.sort((a, b) => b.lines - a.lines).map(({ path }) => idInPath(path));
    },
  };
}
