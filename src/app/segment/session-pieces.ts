import { createHash } from 'node:crypto';
import type { BundleLine, SessionLine } from '../../core/bundle/bundle-line.ts';
import { maskJsonLine } from '../../core/bundle/mask-secrets.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import type { Lane } from '../../core/remote/segment-name.ts';
import type { MaskedPlace } from '../bundle/export-files.ts';
import { projectLine, projectLines, type Tally } from '../bundle/export-project.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { type LeftBytes, upTo, wholeTalkLines, withoutWords } from './left-bytes.ts';
import { recordKeys } from './line-keys.ts';
import { type RepoState, streamKey } from './repo-state.ts';
import { isLight, redactedPlaces, talkFile } from './talk-file.ts';
import { asSent } from './without-topics.ts';

/** How the file of a session's talk is called beside its original. */
export const TALK = 'talk';
const NO_L1 = { bytes: 0, sha256: '' };
/** Lines of a segment up to this size are sealed together. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

export type Pieces = {
  /** Each becomes a segment. */
  segments: { lane: Lane; lines: string[] }[];
  /** Bytes of the session's own files that leave. */
  bytes: number;
  /** Where secrets were masked. */
  masked: MaskedPlace[];
  /** What was sealed before is not what it would be now: a secret showed itself, or a text was purged. */
  changed: boolean;
};

type Sent = Pick<RepoState, 'sealed' | 'received' | 'orphaned' | 'keys'>;
type Line =
  | BundleLine
  | { t: 'piece'; session: SessionId; file: string; at: number; end: number; sha256: string };

export type LeavingSession = {
  manifest: Manifest;
  session: SessionId;
  /** What was said, or its original, too; with `facts` only what `most` lets leave. */
  level: ShareLevel;
  /** The part of its files that is sent at any level: the store has it, or had it. */
  most?: LeftBytes | undefined;
};

/** What a store lacks of a session: what was said, and with `all` the new end of its files, its versions, its record. */
export async function sessionPieces(world: World, leaving: LeavingSession, sent: Sent): Promise<Pieces> {
  const pieces: Pieces = { segments: [], bytes: 0, masked: [], changed: false };
  const record = leaving.manifest.sessions[leaving.session];
  if (!record) return pieces;
  const { level, most } = leaving;
  if ((level === 'all' || most) && !isLight(record)) await originalPieces(world, leaving, sent, pieces);
  if (level !== 'facts' || most) await talkPieces(world, leaving, sent, pieces);
  return pieces;
}

/** Lines that are collected into segments of a lane, each behind the line that says which folder is meant. */
class Collected {
  readonly #head: string;
  readonly #lane: Lane;
  readonly #into: Pieces;
  #open: string[] = [];
  #size = 0;

  constructor(manifest: Manifest, lane: Lane, into: Pieces) {
    const options = { secrets: false, template: false, only: new Set<SessionId>() };
    this.#head = JSON.stringify({ ...projectLine(manifest, options), settings: {}, fields: [] });
    this.#lane = lane;
    this.#into = into;
  }

  put(...lines: Line[]): void {
    for (const line of lines) {
      // What carries bytes was masked where whole lines were known.
      const text = line.t === 'data' ? JSON.stringify(line) : maskJsonLine(JSON.stringify(line));
      this.#open.push(text);
      this.#size += text.length;
    }
    if (this.#size >= SEGMENT_BYTES) this.flush();
  }

  flush(): void {
    if (this.#open.length > 0)
      this.#into.segments.push({ lane: this.#lane, lines: [this.#head, ...this.#open] });
    [this.#open, this.#size] = [[], 0];
  }
}

/** Its talk, as far as this machine is where it was said; without secrets, as all that is refined. */
async function talkPieces(
  world: World,
  { manifest, session, level, most = new Map() }: LeavingSession,
  sent: Sent,
  pieces: Pieces,
): Promise<void> {
  const record = manifest.sessions[session]!;
  const size = (await world.archive.originals.size(manifest.projectId, originalName(session))) ?? 0;
  const name = isLight(record) ? TALK : 'original';
  const place = { project: manifest.projectId, session };
  if (size <= sentByOthers(sent, streamKey(place, name))) return;
  // More was said here since than may leave.
  const isOthers = size <= (most.get(name) ?? 0);
  const limit = level !== 'facts' || isOthers ? Infinity : (most.get(TALK) ?? 0);
  const lane = new Collected(manifest, 'talk', pieces);
  const known = sent.sealed.get(streamKey(place, TALK));
  const file = new FileOfSession({
    session,
    file: { kind: 'original', session },
    name: TALK,
    start: known?.bytes ?? 0,
    others: 0,
    sha256: known?.sha256,
  });
  const talk = wholeTalkLines(await talkFile(world, manifest, record), limit);
  if (talk.length === 0) return;
  for (const line of dataLines(talk))
    if (line.t === 'data') for (const piece of file.take(line)) lane.put(...piece);
  for (const piece of file.end()) lane.put(...piece);
  pieces.changed ||= file.isChanged();
  const leaving = level === 'facts' ? withoutWords(record) : record;
  const light: SessionRecord = {
    ...leaving,
    compressions: [],
    metadata: { ...leaving.metadata, agent: 'talk', subSessions: [] },
    beside: [],
  };
  const line: SessionLine = { t: 'session', record: light, l1: NO_L1, parts: [] };
  const isNew = level === 'talk' && recordKeys(line).some((key) => !sent.keys.has(key));
  if (file.sent > 0 || isNew) lane.put(asSent(line, manifest));
  if (level === 'talk') {
    pieces.bytes += file.sent;
    pieces.masked.push(...redactedPlaces(talk));
  }
  lane.flush();
}

/** The new end of its files, its versions, its record. */
async function originalPieces(
  world: World,
  { manifest, session, level, most }: LeavingSession,
  sent: Sent,
  pieces: Pieces,
): Promise<void> {
  const tally: Tally = { sessions: 0, masked: new Map(), missing: [] };
  const options = { secrets: false, template: false, only: new Set([session]) };
  const lane = new Collected(manifest, 'bytes', pieces);
  const put = (...lines: Line[]) => lane.put(...lines);
  let file: FileOfSession | undefined;
  let record: Line[] = [];
  const all = projectLines(world, manifest, options, tally);
  for await (const line of level === 'all' || !most ? all : upTo(all, most)) {
    if (line.t === 'file') {
      file = fileOf(line, manifest.projectId, sent);
      if (!file) record.push(line);
    } else if (line.t === 'data') {
      if (!file) record.push(line);
      else for (const piece of file.take(line)) put(...piece);
    } else if (line.t === 'eof') {
      if (!file) record.push(line);
      else {
        for (const piece of file.end()) put(...piece);
        pieces.bytes += file.sent;
        pieces.changed ||= file.isChanged();
      }
      file = undefined;
    } else if (line.t === 'session') {
      const isNew = recordKeys(line).some((key) => !sent.keys.has(key));
      // Ends the list of its files: receivers know by it that they are complete.
      if (isNew || pieces.bytes > 0) put(...record, asSent(line, manifest));
      record = [];
    } else if (line.t === 'overlay' && !sent.keys.has(`o:${line.overlay.overlayId}`)) put(line);
  }
  lane.flush();
  pieces.masked = tally.masked.get(session) ?? [];
}

/** A file of the agent's own, from where it was sealed last. Undefined for what is made here: that goes with the record. */
function fileOf(
  { file }: Extract<BundleLine, { t: 'file' }>,
  project: string,
  sent: Sent,
): FileOfSession | undefined {
  if (file.kind !== 'original' && file.kind !== 'beside') return undefined;
  const { session } = file;
  const name = file.kind === 'original' ? 'original' : file.path.join('/');
  const key = streamKey({ project, session }, name);
  const known = sent.sealed.get(key);
  const start = known?.bytes ?? 0;
  const others = sentByOthers(sent, key);
  return new FileOfSession({ session, file, name, start, others, sha256: known?.sha256 });
}

/** The number of bytes of a file that other devices have to send. */
function sentByOthers({ received, orphaned }: Sent, key: string): number {
  return orphaned.has(key) ? 0 : (received.get(key) ?? 0);
}

type FileStart = {
  session: SessionId;
  file: Extract<BundleLine, { t: 'file' }>['file'];
  name: string;
  /** The number of bytes that were sealed here before, with this hash. */
  start: number;
  sha256: string | undefined;
  /** The number of bytes that came from another device: there are no others here, and none are sent. */
  others: number;
};

class FileOfSession {
  readonly #of: FileStart;
  readonly #all = createHash('sha256');
  #before: string | undefined;
  #read = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #from: number;
  /** What came from another device stays back until it is clear that there is more here. */
  #waiting: Line[][] = [];

  constructor(of: FileStart) {
    this.#of = of;
    this.#from = of.start;
  }

  *take(line: { text?: string | undefined; base64?: string | undefined }): Generator<Line[]> {
    const bytes = line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text);
    const old = Math.max(0, Math.min(bytes.length, this.#of.start - this.#read));
    this.#all.update(bytes.subarray(0, old));
    if (this.#read < this.#of.start && this.#read + old === this.#of.start)
      this.#before = this.#all.copy().digest('hex');
    this.#all.update(bytes.subarray(old));
    this.#read += bytes.length;
    if (old === bytes.length) return;
    this.#held.push(bytes.subarray(old));
    this.#heldBytes += bytes.length - old;
    if (this.#heldBytes >= SEGMENT_BYTES) this.#waiting.push(this.#piece());
    yield* this.#leaving();
  }

  *end(): Generator<Line[]> {
    if (this.#heldBytes > 0) this.#waiting.push(this.#piece());
    yield* this.#leaving();
  }

  /** Bytes that left, once it ended. */
  get sent(): number {
    return this.#isMore() ? this.#from - this.#of.start : 0;
  }

  #isMore(): boolean {
    return this.#read > this.#of.others;
  }

  #leaving(): Line[][] {
    return this.#isMore() ? this.#waiting.splice(0) : [];
  }

  isChanged(): boolean {
    const { start, sha256 } = this.#of;
    return start > 0 && this.#before !== sha256;
  }

  #piece(): Line[] {
    const { session, file, name } = this.#of;
    const bytes = Buffer.concat(this.#held);
    const at = this.#from;
    this.#from += bytes.length;
    [this.#held, this.#heldBytes] = [[], 0];
    const data = dataLines(bytes);
    return [
      {
        t: 'piece',
        session,
        file: name,
        at,
        end: this.#from,
        sha256: this.#all.copy().digest('hex'),
      },
      { t: 'file', file },
      ...data,
      { t: 'eof', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ];
  }
}

function dataLines(bytes: Buffer): BundleLine[] {
  const text = bytes.toString('utf8');
  return [
    Buffer.from(text).equals(bytes) ? { t: 'data', text } : { t: 'data', base64: bytes.toString('base64') },
  ];
}
