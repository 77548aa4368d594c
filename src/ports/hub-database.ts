export type HubMember = { id: string; name: string; addedAt: string; removedAt: string | null };
export type HubDevice = { id: string; member: string; publicKey: string; name: string; addedAt: string };
/** `device` is empty for a token that no device is bound to; `expiresAt` for one that does not expire. */
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
export type HubGrant = { repo: string; member: string; role: string };
/** `head`: positions that were given out; `removals`: segments that were deleted. */
export type HubHead = { head: number; removals: number };
export type HubRepo = HubHead & { id: string; name: string };
export type HubAudit = {
  at: string;
  member: string;
  device: string;
  repo: string;
  action: string;
  detail: string;
};
/** Where a segment is, as its name says. */
export type HubSegmentPlace = { device: string; lane: string; seq: number; id: string };
/** `position` counts in its repository, without gaps; `gone`: it was deleted, and its place stays. */
export type HubSegment = HubSegmentPlace & { position: number; bytes: number; gone: boolean };

/**
 * Who asks, for which repository. The database looks at it again with every call: a token that was revoked, or a role
 * that was revoked, since the request began ends in the fault `forbidden`.
 */
export type HubAccess = { repo: string; member: string; token: string; now: string };

/** `nowhere`: there is no such repository yet, and nothing was stored. */
export type Appended = { position: number; state: 'added' | 'known' | 'gone' | 'nowhere' };
/** Who is named in the audit log for what is added. */
export type HubPusher = { name: string };

/** What a hub stores. Nothing of one repository is ever looked at together with another. */
export interface HubDatabase {
  /** Applies the migrations that are missing, in order; fault `newer-version` where a newer hub was here. */
  prepare(): Promise<void>;
  /** Throws where it can't be used, or has not the schema of this version. */
  check(): Promise<void>;
  close(): Promise<void>;
  /** A stored value; if there is none, `fresh` is stored. The same for all who ask at once. */
  setting(name: string, fresh: string): Promise<string>;

  /** False if there is a member of that name already. */
  addMember(member: HubMember): Promise<boolean>;
  members(): Promise<HubMember[]>;
  /** Takes roles, tokens, invitations and devices with it. */
  removeMember(id: string, at: string): Promise<void>;
  addDevice(device: HubDevice): Promise<void>;
  devices(): Promise<HubDevice[]>;
  addToken(token: HubToken): Promise<void>;
  tokens(): Promise<HubToken[]>;
  revokeToken(hash: string, at: string): Promise<void>;
  /** With its member, if both are good now. */
  findToken(hash: string, now: string): Promise<(HubToken & { memberName: string }) | undefined>;
  addInvitation(invitation: HubInvitation): Promise<void>;
  /** The member that it was for, once; undefined if it was used, is too old or never was. */
  useInvitation(hash: string, now: string): Promise<HubMember | undefined>;
  setRole(grant: HubGrant): Promise<void>;
  removeRole(repo: string, member: string): Promise<void>;
  roles(member?: string): Promise<HubGrant[]>;
  audit(row: HubAudit): Promise<void>;
  /** Newest first. */
  audits(filter: { repo?: string; limit: number }): Promise<HubAudit[]>;

  repos(): Promise<HubRepo[]>;
  /** False if it is there already. */
  addRepo(repo: { id: string; name: string }, at: string): Promise<boolean>;

  /** What is added is in the audit log, both or none. */
  append(access: HubAccess, place: HubSegmentPlace, bytes: Uint8Array, pusher: HubPusher): Promise<Appended>;
  head(access: HubAccess): Promise<HubHead>;
  /** Segments after a position, in their order, deleted ones too. */
  follow(access: HubAccess, after: number, limit: number): Promise<HubSegment[]>;
  /** All that are not deleted, by name. */
  list(access: HubAccess): Promise<HubSegment[]>;
  read(access: HubAccess, place: HubSegmentPlace): Promise<Buffer | undefined>;
  /** False if there was none. */
  remove(access: HubAccess, place: HubSegmentPlace): Promise<boolean>;
  /** Devices whose segments a repository has, with the names of their members. */
  authors(access: HubAccess): Promise<{ device: string; member: string; memberName: string }[]>;
}
