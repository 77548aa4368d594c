/** What a member may do in a repository, each with all that those before it may. */
export const HUB_ROLES = ['reader', 'writer', 'reviewer', 'admin'] as const;
export type HubRole = (typeof HUB_ROLES)[number];

/** In place of a repository: every one. */
export const ANY_REPO = '*';

/** Things that are done in a repository, and the lowest role that may do each. */
const LOWEST = {
  read: 'reader',
  append: 'writer',
  'remove-own': 'writer',
  review: 'reviewer',
  'remove-any': 'admin',
  'manage-members': 'admin',
} as const satisfies Record<string, HubRole>;
export type HubRight = keyof typeof LOWEST;
export const HUB_RIGHTS = Object.keys(LOWEST) as HubRight[];

export function isHubRole(text: string): text is HubRole {
  return (HUB_ROLES as readonly string[]).includes(text);
}

/** 0: no role at all. */
export function rankOf(role: HubRole | undefined): number {
  return role === undefined ? 0 : HUB_ROLES.indexOf(role) + 1;
}

export function mayDo(role: HubRole | undefined, right: HubRight): boolean {
  return rankOf(role) >= rankOf(LOWEST[right]);
}

/** Of several roles of a member in one repository, the one that counts. */
export function highestRole(roles: readonly HubRole[]): HubRole | undefined {
  return roles.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
}
