/** What a store promises and sees, for the user to know before anything is put there. */
export type StoreTraits = {
  /** When a deleted file is gone for good: at once, when the service cleans up, or when its owner does. */
  deletes: 'at once' | 'later' | 'not by us';
  /** Sentences for a person: what to know about this store. */
  notes: string[];
};

export type StoredName = { name: string; bytes: number };

/** Whose device it is, and whether their word about facts of others counts. */
export type StoreAuthor = { device: string; name: string; isYou: boolean; mayReview: boolean };

/** How a device becomes known to a store that has members. `prove` signs with the device's key. */
export type JoinRequest = {
  /** Without one, by the token that is known already. */
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
  /** Names that begin with the prefix, sorted. May be stale or partial. Names that a store could not have been given are left out. */
  list(prefix: string): Promise<StoredName[]>;
  /** As of the last `list` at least. May be wrong: the caller checks. Undefined if there is none. */
  get(name: string): Promise<Buffer | undefined>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Nothing happens if there is none. */
  remove(name: string): Promise<void>;
  traits(): Promise<StoreTraits>;
  /** Makes the place ready and sees that it can be written to. */
  prepare(): Promise<void>;
  /** Of several `put` and `remove`, those that wait are carried out. */
  flush(): Promise<void>;
  /** Deletes what this machine keeps of it; what is stored there stays. */
  forget?(): Promise<void>;
  /** It takes segments of this device only: what others wrote is for their devices to put and remove. */
  isOwnOnly?: true;
  /** Where the store has members: what this user is called there, and the key that all of them have. */
  join?(request: JoinRequest): Promise<{ member: string; key: string }>;
  /** For stores with members: whose devices wrote its data of a repository. */
  authors?(repo: string): Promise<StoreAuthor[]>;
  /** Where the store has roles: whether this user's word about facts of others is taken there. */
  mayReview?(repo: string): Promise<boolean>;
}

/** What this archive keeps of its remotes: files below `remotes/`, for the user alone. */
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
  /** Fault `usage` for an address that nothing here can open. */
  open(address: string): Promise<RemoteStore>;
  /** Runs `work` while no other process syncs; fault `busy` where one does. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** How what is stored is packed. `unpack` gives undefined for what is not that, or not of that size. */
  packing: { pack(bytes: Buffer): Buffer; unpack(bytes: Buffer, size: number): Buffer | undefined };
  /** Fresh bytes for keys. */
  random(bytes: number): Buffer;
  /** What this machine calls itself. */
  machineName(): string;
}
