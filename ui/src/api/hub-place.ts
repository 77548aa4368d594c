/** Where the page of a hub shows one of its repositories: `/r/ID/...`. */
const [, repo] = /^\/r\/([0-9a-f]{32})(?:\/|$)/.exec(location.pathname) ?? [];
/** As the sign-in page of the hub keeps it, for this tab. */
const PLACE = 'keepsake-hub-token';

/** Before every address of the page and of the API; empty on the machine of the archive. */
export const hubBase = repo === undefined ? '' : `/r/${repo}`;
/** The page of a hub only reads. */
export const isHub = repo !== undefined;

/** How a member of a hub is known. */
export function memberHeader(): Record<string, string> {
  const token = isHub ? (sessionStorage.getItem(PLACE) ?? '') : '';
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** Not signed in, or no longer: back to the page that asks for a token. */
export function signInAgain(): void {
  location.assign('/');
}
