import type { HubMembers } from './hub-members.ts';

/** Properties of a store that the user should know before anything is sent. */
export type StoreTraits = {
  /** When a deleted file is gone for good: at once, when the service cleans up, or when its owner does. */
  deletes: 'at once' | 'later' | 'not by us';
  /** Sentences for a person: what to know about this store. */
  notes: string[];
};

export type StoredName = { name: string; bytes: number };

/** The owner of a device, and whether their reviews of other members' facts count. */
export type StoreAuthor = { device: string; name: string; isYou: boolean; mayReview: boolean };

/** How a device joins a store with members. `prove` signs with the device's key. */
export type JoinRequest = {
  /** Without one, the known token is used. */
  invitation: string | undefined;
  publicKey: string;
  deviceName: string;
  prove(secret: string): Buffer;
};

/**
 * A place that stores files by name. No locks, no conditions, no clock: a name identifies its bytes, so a repeated `put` does
 * no harm, and readers verify. Failures are the fault `remote`.
 */
export interface RemoteStore {
  /** Names that begin with the prefix, sorted. May be stale or partial. Invalid names are left out. */
  list(prefix: string): Promise<StoredName[]>;
  /** At least as new as the last `list`. May be wrong: the caller verifies. Undefined if there is none. */
  get(name: string): Promise<Buffer | undefined>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing if there is none. */
  remove(name: string): Promise<void>;
  traits(): Promise<StoreTraits>;
  /** Prepares the place and checks that it is writable. */
  prepare(): Promise<void>;
  /** Carries out waiting `put` and `remove` calls. */
  flush(): Promise<void>;
  /** Deletes this machine's local files of it; data on the store stays. */
  forget?(): Promise<void>;
  /** It accepts only segments of this device: each device puts and removes its own. */
  isOwnOnly?: true;
  /** For stores with members: this user's name there, and the key that all members have. */
  join?(request: JoinRequest): Promise<{ member: string; key: string }>;
  /** For stores with members: what an admin may do with this machine's token. */
  members?: HubMembers;
  /** For stores with members: whose devices wrote its data of a repository. */
  authors?(repo: string): Promise<StoreAuthor[]>;
  /** For stores with roles: whether this user's reviews of other members' facts are accepted there. */
  mayReview?(repo: string): Promise<boolean>;
}

/** This archive's records of its remotes: files below `remotes/`, readable only by the user. */
export interface RemoteFiles {
  read(name: string): Promise<Buffer | undefined>;
  /** Atomic and on the disk. */
  write(name: string, bytes: string | Uint8Array): Promise<void>;
  /** Every file below the folder, named relative to it, sorted. */
  list(folder: string): Promise<string[]>;
  /** Those at the top. */
  folders(): Promise<string[]>;
  remove(name: string): Promise<void>;
}

export interface Remotes {
  files: RemoteFiles;
  /** Fault `usage` for an unsupported address. */
  open(address: string): Promise<RemoteStore>;
  /** Runs `work` while no other process syncs; fault `busy` if one does. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Compression of stored data. `unpack` returns undefined for other data or another size. */
  packing: { pack(bytes: Buffer): Buffer; unpack(bytes: Buffer, size: number): Buffer | undefined };
  /** Random bytes for keys. */
  random(bytes: number): Buffer;
  /** The name of this machine. */
  machineName(): string;
}
