import type { BundleFile, BundleLine, ProjectLine, SessionLine } from '../../core/bundle/bundle-line.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import type { SegmentLine } from './segment-lines.ts';
import { isLight } from './talk-file.ts';

/** A stretch of a file: which segment has it, and the hash of the file up to its end. */
export type Stretch = { at: number; end: number; sha256: string; segment: SegmentName };
type Text = { file: BundleFile; lines: BundleLine[] };

/** All that segments of one device say of one folder. */
export type AssembledProject = {
  project: ProjectLine;
  records: BundleLine[];
  /** Small files; of several of one name the last. */
  texts: Map<string, Text>;
  sessions: Map<SessionId, AssembledSession>;
};

export type AssembledSession = {
  line: SessionLine | undefined;
  /** For machines that only have its talk. */
  talkLine: SessionLine | undefined;
  /** Its original is in the store, too. */
  isStored: boolean;
  /** By name: the original, the files beside it, its talk. */
  files: Map<string, { file: BundleFile; stretches: Stretch[] }>;
  versions: Map<string, Text>;
};

/** Puts the lines of several segments together. Lines of one device, in the order of its segments. */
export class Assembly {
  readonly projects = new Map<ProjectId, AssembledProject>();
  #current: AssembledProject | undefined;
  #piece: { session: SessionId; name: string; stretch: Stretch } | undefined;
  #open: { file: BundleFile; lines: BundleLine[] } | undefined;
  #segment: SegmentName | undefined;

  add(segment: SegmentName, lines: readonly SegmentLine[]): void {
    [this.#current, this.#segment] = [undefined, segment];
    for (const line of lines) this.#take(line);
  }

  #take(line: SegmentLine): void {
    switch (line.t) {
      case 'project':
        this.#current = this.#project(line);
        return;
      case 'piece':
        this.#piece = {
          session: line.session,
          name: line.file,
          stretch: { at: line.at, end: line.end, sha256: line.sha256, segment: this.#segment! },
        };
        return;
      case 'file':
        this.#open = { file: line.file, lines: [line] };
        return;
      case 'data':
        // The bytes of a session's own file are read again when they are needed: they may be many.
        if (!this.#piece) this.#open?.lines.push(line);
        return;
      case 'eof':
        this.#open?.lines.push(line);
        this.#close();
        return;
      case 'session':
        this.#session(line.record.sessionId)[isLight(line.record) ? 'talkLine' : 'line'] = line;
        return;
      case 'stored':
        this.#session(line.session).isStored = true;
        return;
      case 'device':
      case 'withdraw':
      case 'release':
      case 'confirm':
      case 'retire':
      case 'end':
        return;
      default:
        this.#current?.records.push(line);
    }
  }

  #project(line: ProjectLine): AssembledProject {
    const known = this.projects.get(line.id);
    if (!known) {
      const made = { project: line, records: [], texts: new Map(), sessions: new Map() };
      this.projects.set(line.id, made);
      return made;
    }
    const fields = [...(known.project.fields ?? []), ...(line.fields ?? [])];
    const { notes = known.project.notes, blocks = known.project.blocks } = line;
    known.project = {
      ...line,
      fields,
      ...(notes === undefined ? {} : { notes }),
      ...(blocks === undefined ? {} : { blocks }),
    };
    return known;
  }

  #session(id: SessionId): AssembledSession {
    const sessions = this.#current?.sessions ?? new Map<SessionId, AssembledSession>();
    const known = sessions.get(id);
    if (known) return known;
    const made: AssembledSession = {
      line: undefined,
      talkLine: undefined,
      isStored: false,
      files: new Map(),
      versions: new Map(),
    };
    sessions.set(id, made);
    return made;
  }

  #close(): void {
    const [open, piece] = [this.#open, this.#piece];
    [this.#open, this.#piece] = [undefined, undefined];
    if (!open || !this.#current) return;
    const { file, lines } = open;
    if (file.kind === 'original' || file.kind === 'beside') {
      if (!piece || piece.session !== file.session) return;
      const { files } = this.#session(file.session);
      const known = files.get(piece.name);
      if (known) known.stretches.push(piece.stretch);
      else files.set(piece.name, { file, stretches: [piece.stretch] });
    } else if (file.kind === 'version')
      this.#session(file.session).versions.set(`${file.versionId}.${file.ending}`, { file, lines });
    else this.#current.texts.set(JSON.stringify(file), { file, lines });
  }
}

/** The bytes that a segment has of a file, piece by piece. */
export function pieceBytes(
  lines: readonly SegmentLine[],
  { session, name }: { session: string; name: string },
  { at }: Pick<Stretch, 'at'>,
): Buffer[] {
  const pieces: Buffer[] = [];
  let isIts = false;
  for (const line of lines) {
    if (line.t === 'piece') isIts = line.session === session && line.file === name && line.at === at;
    else if (line.t === 'eof') isIts = false;
    else if (line.t === 'data' && isIts)
      pieces.push(
        line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text),
      );
  }
  return pieces;
}
