import type { RepositoryNote } from '../model/repository.ts';
import { normalizeAddress } from './normalize-address.ts';

/** What is known of a folder's repository, from wherever. */
export type RepositoryFacts = {
  /** `keepsake.identity` in its git configuration. */
  configured?: string | undefined;
  /** The address of `origin`. */
  origin?: string | undefined;
  /** The address that an agent wrote into a session. */
  stated?: string | undefined;
  /** The first commit of a full clone. */
  root?: string | undefined;
  /** The part of the repository that the folder is in, where the user named one. */
  scope?: string | undefined;
};

const LONGEST = 300;

/** The identity of a repository, by the first of its facts that is known. */
export function identityOf(facts: RepositoryFacts): Pick<RepositoryNote, 'identity' | 'from'> {
  const { configured, origin, stated, root, scope } = facts;
  const own = configured?.replace(/\s+/g, ' ').trim().slice(0, LONGEST) ?? '';
  if (own !== '') return { identity: withScope(normalizeAddress(own) ?? own, scope), from: 'config' };
  const address = origin === undefined ? undefined : normalizeAddress(origin);
  if (address !== undefined) return { identity: withScope(address, scope), from: 'origin' };
  const said = stated === undefined ? undefined : normalizeAddress(stated);
  if (said !== undefined) return { identity: withScope(said, scope), from: 'session' };
  return root === undefined ? {} : { identity: withScope(`root:${root}`, scope), from: 'root' };
}

export function withScope(identity: string, scope: string | undefined): string {
  return scope === undefined ? identity : `${identity}#${scope}`;
}

/** The longest scope that a folder is in; `inside` is its path from the top of the checkout. */
export function longestScope(scopes: readonly string[], inside: string): string | undefined {
  const plain = (path: string) =>
    path
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.')
      .join('/');
  const folder = `${plain(inside)}/`;
  const fitting = scopes.map(plain).filter((scope) => scope !== '' && folder.startsWith(`${scope}/`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}
