import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileCall } from './watched-files.ts';

/** A write since the last fsync: bytes at an offset, or a new length. */
type Pending = { at: number; bytes: Buffer } | { length: number };
type FileNode = { kind: 'file'; now: Buffer; durable: Buffer; pending: Pending[] };
/** `group`: operations that happen in one step, such as both ends of a rename. */
type NameChange = { name: string; to: Node | undefined; group: number };
type FolderNode = {
  kind: 'folder';
  now: Map<string, Node>;
  durable: Map<string, Node>;
  pending: NameChange[];
};
type Node = FileNode | FolderNode;

type Handle = { node: Node; at: number; append: boolean };
type Opened = { node: FileNode; handle: Handle };

/** What is left of writes that were not synced: nothing, or any of them, the last one perhaps in part. */
export type LossMode = 'all lost' | 'some lost';

const SECTOR = 512;

/**
 * A disk after a power failure, built from a log of operations: a file has the contents of its last fsync, a folder the names of
 * its last fsync.
 */
export class LoggedDisk {
  readonly #root: string;
  readonly #tree: FolderNode;
  readonly #open = new Map<number, Handle>();
  #group = 0;

  /** Marks everything as safely on the disk. */
  constructor(root: string) {
    this.#root = root;
    this.#tree = readFolder(root);
  }

  /** Logs one successful operation. */
  log({ name, path, args }: FileCall, result: unknown): void {
    this.#group++;
    const handle = typeof args[0] === 'number' ? this.#open.get(args[0]) : undefined;
    if (name === 'openSync') this.#opened(path, args[1], result as number);
    else if (handle) this.#toOpenFile(name, handle, args, result);
    else if (this.#holds(path)) this.#byName({ name, path, args }, result);
  }

  #byName({ name, path, args }: Omit<FileCall, 'change'>, result: unknown): void {
    if (name === 'mkdirSync') this.#makeFolders(path);
    else if (name === 'mkdtempSync') this.#makeFolders(String(result));
    else if (name === 'renameSync') this.#rename(path, String(args[1]));
    else if (name === 'linkSync') this.#put(String(args[1]), this.#find(path));
    else if (/^(rmSync|unlinkSync|rmdirSync)$/.test(name)) this.#put(path, undefined);
    else if (name === 'writeFileSync' || name === 'appendFileSync') this.#wholeFile(name, path, args[1]);
    else if (name === 'copyFileSync')
      this.#wholeFile('writeFileSync', String(args[1]), fs.readFileSync(path));
  }

  #holds(path: string): boolean {
    return path.startsWith(`${this.#root}/`);
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#tree;
    if (path === this.#root) return node;
    for (const part of path.slice(this.#root.length + 1).split('/'))
      node = node?.kind === 'folder' ? node.now.get(part) : undefined;
    return node;
  }

  #put(path: string, to: Node | undefined): void {
    const folder = this.#find(dirname(path));
    if (folder?.kind !== 'folder') return;
    const name = basename(path);
    if (to) folder.now.set(name, to);
    else if (!folder.now.delete(name)) return;
    folder.pending.push({ name, to, group: this.#group });
  }

  #rename(from: string, to: string): void {
    const node = this.#find(from);
    this.#put(from, undefined);
    if (node) this.#put(to, node);
  }

  #makeFolders(path: string): void {
    if (!this.#holds(path) || this.#find(path)) return;
    this.#makeFolders(dirname(path));
    this.#put(path, { kind: 'folder', now: new Map(), durable: new Map(), pending: [] });
  }

  #file(path: string): FileNode {
    const found = this.#find(path);
    if (found?.kind === 'file') return found;
    const made: FileNode = { kind: 'file', now: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] };
    this.#put(path, made);
    return made;
  }

  #opened(path: string, flags: unknown, descriptor: number): void {
    this.#open.delete(descriptor);
    if (path !== this.#root && !this.#holds(path)) return;
    const found = this.#find(path);
    const creates =
      typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(String(flags));
    const node = found ?? (creates ? this.#file(path) : undefined);
    if (!node) return;
    if (typeof flags === 'string' && flags.startsWith('w') && node.kind === 'file') cut(node, 0);
    this.#open.set(descriptor, { node, at: 0, append: String(flags).startsWith('a') });
  }

  #toOpenFile(name: string, handle: Handle, args: unknown[], result: unknown): void {
    const { node } = handle;
    if (name === 'fsyncSync' || name === 'fdatasyncSync') {
      if (node.kind === 'file') keepFile(node);
      else this.#keepFolder(node);
    } else if (node.kind === 'file') this.#intoFile(name, { node, handle }, args, result);
  }

  #intoFile(name: string, { node, handle }: Opened, args: unknown[], result: unknown): void {
    if (name === 'ftruncateSync') cut(node, Number(args[1] ?? 0));
    if (name === 'readSync' && args[4] == null) handle.at += Number(result);
    if (name === 'appendFileSync' || name === 'writeFileSync')
      put(node, handle.append ? node.now.length : handle.at, Buffer.from(args[1] as string));
    if (name !== 'writeSync') return;
    const isText = typeof args[1] === 'string';
    const all = isText ? Buffer.from(args[1] as string) : (args[1] as Uint8Array);
    const from = isText ? 0 : Number(args[2] ?? 0);
    const place = isText ? args[2] : args[4];
    const bytes = Buffer.from(all.subarray(from, from + Number(result)));
    const at = handle.append ? node.now.length : place == null ? handle.at : Number(place);
    if (place == null) handle.at = at + bytes.length;
    put(node, at, bytes);
  }

  #wholeFile(name: string, path: string, data: unknown): void {
    const node = this.#file(path);
    if (name === 'writeFileSync') cut(node, 0);
    put(node, node.now.length, Buffer.from(data as string));
  }

  /** Both ends of a rename belong together. */
  #keepFolder(folder: FolderNode): void {
    const groups = new Set(folder.pending.map(({ group }) => group));
    const settle = (node: Node) => {
      if (node.kind !== 'folder') return;
      const due = node.pending.filter((change) => node === folder || groups.has(change.group));
      for (const change of due) applyName(node.durable, change);
      node.pending = node.pending.filter((change) => !due.includes(change));
      for (const below of new Set([...node.now.values(), ...node.durable.values()])) settle(below);
    };
    settle(this.#tree);
  }

  /** The folder as it is when the power is back. */
  writeTo(target: string, mode: LossMode, draw: () => number): void {
    const kept = new Map<number, boolean>();
    const survives = (group: number) => {
      if (mode === 'all lost') return false;
      const known = kept.get(group) ?? draw() < 0.5;
      kept.set(group, known);
      return known;
    };
    const write = (folder: FolderNode, path: string) => {
      fs.mkdirSync(path, { recursive: true });
      const names = new Map(folder.durable);
      for (const change of folder.pending) if (survives(change.group)) applyName(names, change);
      for (const [name, node] of names) {
        if (node.kind === 'folder') write(node, join(path, name));
        else fs.writeFileSync(join(path, name), leftOf(node, mode, draw));
      }
    };
    write(this.#tree, target);
  }
}

function applyName(names: Map<string, Node>, { name, to }: NameChange): void {
  if (to) names.set(name, to);
  else names.delete(name);
}

function readFolder(path: string): FolderNode {
  const entries = new Map<string, Node>();
  for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) entries.set(entry.name, readFolder(below));
    else if (entry.isFile()) {
      const bytes = fs.readFileSync(below);
      entries.set(entry.name, { kind: 'file', now: bytes, durable: bytes, pending: [] });
    }
  }
  return { kind: 'folder', now: entries, durable: new Map(entries), pending: [] };
}

function keepFile(node: FileNode): void {
  node.durable = node.now;
  node.pending = [];
}

function put(node: FileNode, at: number, bytes: Buffer): void {
  node.now = withBytes(node.now, at, bytes);
  node.pending.push({ at, bytes });
}

function cut(node: FileNode, length: number): void {
  node.now = withLength(node.now, length);
  node.pending.push({ length });
}

function leftOf({ durable, pending }: FileNode, mode: LossMode, draw: () => number): Buffer {
  if (mode === 'all lost') return durable;
  let left = durable;
  for (const change of pending) {
    const chance = draw();
    if (chance < 0.4) continue;
    if ('length' in change) left = withLength(left, change.length);
    else {
      const torn =
        chance < 0.6 ? Math.floor((change.bytes.length * draw()) / SECTOR) * SECTOR : change.bytes.length;
      left = withBytes(left, change.at, change.bytes.subarray(0, torn));
    }
  }
  return left;
}

function withBytes(before: Buffer, at: number, bytes: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before.length, at + bytes.length));
  before.copy(after);
  bytes.copy(after, at);
  return after;
}

function withLength(before: Buffer, length: number): Buffer {
  const after = Buffer.alloc(length);
  before.copy(after);
  return after;
}
