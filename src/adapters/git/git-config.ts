/** What is read of a repository's configuration file. */
export type GitConfig = { remote?: string; identity?: string; scopes: string[] };

/** Included files are not followed: what they hold is the user's, not the repository's. */
export function readGitConfig(text: string): GitConfig {
  const remotes = new Map<string, string>();
  const found: GitConfig = { scopes: [] };
  let section = '';
  let name: string | undefined;
  for (const line of text.split('\n')) {
    const opened = /^\s*\[\s*([\w.-]+)(?:\s+"(.*)")?\s*\]/.exec(line);
    if (opened) [section, name] = [opened[1]!.toLowerCase(), opened[2]];
    const [, key = '', written = ''] = /^\s*(?:\[.*\]\s*)?([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const value = plainValue(written);
    if (value === '') continue;
    if (section === 'remote' && name !== undefined && key.toLowerCase() === 'url' && !remotes.has(name))
      remotes.set(name, withoutCredentials(value));
    if (section !== 'keepsake') continue;
    if (key.toLowerCase() === 'identity') found.identity = value;
    if (key.toLowerCase() === 'scope') found.scopes.push(value);
  }
  const only = remotes.size === 1 && !remotes.has('upstream') ? [...remotes.values()][0] : undefined;
  const remote = remotes.get('origin') ?? only;
  return remote === undefined ? found : { ...found, remote };
}

/** Without quotes, and without a comment behind it. */
function plainValue(written: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(written)?.[1];
  return (quoted ?? written.replace(/\s+[#;].*$/, '')).replace(/\\(["\\])/g, '$1').trim();
}

/** A token in an address must not reach the archive; `git@` of an ssh address is no secret and stays. */
function withoutCredentials(url: string): string {
  return url.replace(/^(https?:\/\/)[^@/]*@/i, '$1').replace(/^([a-z+]+:\/\/[^:@/]*):[^@/]*@/i, '$1@');
}
