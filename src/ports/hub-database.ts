export type HubMember = { id: string; name: string; addedAt: string; removedAt: string | null };
export type HubDevice = { id: string; member: string; publicKey: string; name: string; addedAt: string };
/** `device` is empty for a token without a device; `expiresAt` is empty for one that does not expire. */
export type HubToken = {
  hash: string;
  member: string;
  device: string;
  label: string;
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
};
export type HubInvitation = { hash: string; member: string; createdAt: string; expiresAt: string };
/** `isUnconfirmed`: of the first sender of a repository, by nobody else's word. */
export type HubGrant = { repo: string; member: string; role: string; isUnconfirmed?: true };
/** `head`: positions assigned so far; `removals`: deleted segments. */
export type HubHead = { head: number; removals: number };
export type HubRepo = HubHead & { id: string; name: string };
export type AddedRepo = 'known' | 'added' | 'with its admin';
export type HubAudit = {
  at: string;
  member: string;
  device: string;
  repo: string;
  action: string;
  detail: string;
};
/** The place of a segment, from its name. */
export type HubSegmentPlace = { device: string; lane: string; seq: number; id: string };
/** `position` counts within its repository, without gaps; `gone`: it was deleted, and its position stays. */
export type HubSegment = HubSegmentPlace & { position: number; bytes: number; gone: boolean };
export type FollowedSegment = HubSegment & { body?: Buffer };

/**
 * Who asks, for which repository. The database looks at it again with every call: a token that was revoked, or a role
 * that was revoked, since the request began ends in the fault `forbidden`.
 */
export type HubAccess = { repo: string; member: string; token: string; now: string };

/** `nowhere`: the repository does not exist yet, and nothing was stored. */
export type Appended = { position: number; state: 'added' | 'known' | 'gone' | 'nowhere' };
/** The name in the audit log for appended segments. */
export type HubPusher = { name: string };

/** Members, devices, tokens, roles, repositories and the audit log. */
export interface HubTables {
  /** A stored value; if there is none, `fresh` is stored. All concurrent callers get the same. */
  setting(name: string, fresh: string): Promise<string>;

  /** False if a member of that name exists. */
  addMember(member: HubMember): Promise<boolean>;
  members(): Promise<HubMember[]>;
  /** Also deletes the member's roles, tokens, invitations and devices. */
  removeMember(id: string, at: string): Promise<void>;
  addDevice(device: HubDevice): Promise<void>;
  devices(): Promise<HubDevice[]>;
  addToken(token: HubToken): Promise<void>;
  tokens(): Promise<HubToken[]>;
  revokeToken(hash: string, at: string): Promise<void>;
  /** With its member, if both are valid now. */
  findToken(hash: string, now: string): Promise<(HubToken & { memberName: string }) | undefined>;
  /** The only one of its member: an earlier one no longer counts. */
  addInvitation(invitation: HubInvitation): Promise<void>;
  /** The member that it is for, once; undefined if it was used, expired or never existed. */
  useInvitation(hash: string, now: string): Promise<HubMember | undefined>;
  setRole(grant: HubGrant): Promise<void>;
  removeRole(repo: string, member: string): Promise<void>;
  roles(member?: string): Promise<HubGrant[]>;
  /** Those that count in a repository: its own, and those for all. */
  grantsIn(repo: string): Promise<HubGrant[]>;
  audit(row: HubAudit): Promise<void>;
  /** Newest first. */
  audits(filter: { repo?: string; limit: number }): Promise<HubAudit[]>;

  repos(): Promise<HubRepo[]>;
  /** `first`: who becomes its admin, unconfirmed, if it is new and nobody was given a role in it; both or neither. */
  addRepo(repo: { id: string; name: string }, at: string, first?: string): Promise<AddedRepo>;
}

/** The storage of a hub. No query reads two repositories together. */
export interface HubDatabase extends HubTables {
  /** Applies missing migrations in order; fault `newer-version` if a newer hub migrated it. */
  prepare(): Promise<void>;
  /** Throws if it cannot be used or does not have this version's schema. */
  check(): Promise<void>;
  close(): Promise<void>;
  /** Works on the tables while the caller is an admin of the repository (`*`: of all): all of it or nothing. */
  asAdmin<T>(access: HubAccess, work: (tables: HubTables) => Promise<T>): Promise<T>;

  /** Appends are in the audit log, both or neither. */
  append(access: HubAccess, place: HubSegmentPlace, bytes: Uint8Array, pusher: HubPusher): Promise<Appended>;
  head(access: HubAccess): Promise<HubHead>;
  /** Segments after a position, in their order, deleted ones too. The first of them up to `mostBytes` in all with their bytes, but no originals. */
  follow(access: HubAccess, after: number, limit: number, mostBytes?: number): Promise<FollowedSegment[]>;
  /** All that are not deleted, by name. */
  list(access: HubAccess): Promise<HubSegment[]>;
  read(access: HubAccess, place: HubSegmentPlace): Promise<Buffer | undefined>;
  /** False if it did not exist. */
  remove(access: HubAccess, place: HubSegmentPlace): Promise<boolean>;
  /** Devices whose segments a repository has, with the names of their members; or only `devices`, of segments that the caller has read. */
  authors(
    access: HubAccess,
    devices?: readonly string[],
  ): Promise<{ device: string; member: string; memberName: string }[]>;
}
