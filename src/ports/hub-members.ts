export type HubMemberRow = {
  name: string;
  addedAt: string;
  roles: { repo: string; name: string; role: string }[];
  devices: { id: string; name: string }[];
  tokens: { label: string; expiresAt: string; device: string }[];
};

export type AuditRow = {
  at: string;
  member: string;
  device: string;
  repo: string;
  action: string;
  detail: string;
};

/** `invitation` is null for a colleague who is known already and only gets a role. */
export type AddedMember = {
  member: string;
  isNew: boolean;
  invitation: string | null;
  expiresAt: string | null;
  /** In the repository; `none` without one. */
  role: string;
};
export type IssuedToken = { member: string; token: string; label: string; expiresAt: string };
export type RoleInRepo = { member: string; repo: string; role: string };

/** Who is on a hub and what they may do there. A repository is named by its address, name or id; `*` means all of them. */
export interface HubMembers {
  list(repo: string): Promise<HubMemberRow[]>;
  add(repo: string, asked: { name: string; role?: string | undefined }): Promise<AddedMember>;
  /** From a repository, or with `*` from the hub. */
  remove(repo: string, name: string): Promise<{ member: string }>;
  setRole(repo: string, asked: { name: string; role: string }): Promise<RoleInRepo>;
  audit(repo: string, limit: number): Promise<AuditRow[]>;
  issueToken(asked: { name: string; days: number }): Promise<IssuedToken>;
  revokeToken(label: string): Promise<{ label: string }>;
}
