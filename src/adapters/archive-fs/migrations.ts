import { emptyRecords, MANIFEST_VERSION } from '../../core/model/change.ts';
import type { Doc } from './manifest-file.ts';
import { versionFromSeed } from './version-from-seed.ts';

type Migration = {
  name: string;
  /** The file as it was is kept under this name. */
  keepAs: string;
  applies: (doc: Doc) => boolean;
  apply: (doc: Doc, projectId: string) => Doc;
};

/** Oldest first. Each one is pure, and stays as it is once it was released. */
const MIGRATIONS: Migration[] = [
  { name: '001-before-keepsake', keepAs: 'manifest.pre-keepsake.json', applies: hasNoGen, apply: fromSeed },
];

export type MigratedManifest = { doc: Doc; names: string[]; keepAs: string | undefined };

export function migrate(doc: Doc, projectId: string): MigratedManifest {
  const done: MigratedManifest = { doc, names: [], keepAs: undefined };
  for (const migration of MIGRATIONS) {
    if (!migration.applies(done.doc)) continue;
    done.doc = migration.apply(done.doc, projectId);
    done.names.push(migration.name);
    done.keepAs ??= migration.keepAs;
  }
  return done;
}

function hasNoGen(doc: Doc): boolean {
  return doc.gen === undefined && isDoc(doc.sessions);
}

/** A ~/.claude-memory from before generations: its values are kept, missing ones get their defaults. */
function fromSeed(doc: Doc, projectId: string): Doc {
  const createdAt = text(doc.createdAt) ?? text(doc.lastModified) ?? '1970-01-01T00:00:00.000Z';
  const sessions: Doc = Object.create(null);
  for (const [id, record] of Object.entries(doc.sessions as Doc)) {
    if (isDoc(record)) sessions[id] = sessionFromSeed(id, record, createdAt);
  }
  return {
    ...emptyRecords(),
    displayName: projectId,
    originalPath: '',
    lastModified: createdAt,
    ...doc,
    createdAt,
    version: MANIFEST_VERSION,
    gen: 0,
    projectId,
    sessions,
  };
}

/** `engine` 0 makes the next sync read its original again. */
export function sessionFromSeed(sessionId: string, record: Doc, createdAt: string): Doc {
  const known = isDoc(record.metadata) ? record.metadata : {};
  const branch = text(known.gitBranch);
  const registeredAt = text(record.registeredAt) ?? createdAt;
  return {
    originalFile: '',
    originalTokens: 0,
    originalMessages: 0,
    originalBytes: 0,
    originalHash: '',
    tokenCounter: 'unknown',
    firstTimestamp: registeredAt,
    lastTimestamp: registeredAt,
    lastAccessed: registeredAt,
    registered: true,
    l1: { file: '', lines: 0, bytes: 0 },
    engine: 0,
    ...record,
    sessionId,
    registeredAt,
    compressions: list(record.compressions).flatMap((it) => versionFromSeed(it, record, registeredAt)),
    keepitMarkers: list(record.keepitMarkers).map((marker) => ({
      survivedIn: [],
      summarizedIn: [],
      createdAt: registeredAt,
      context: '',
      origin: 'user',
      held: false,
      src: 0,
      ...marker,
    })),
    metadata: {
      agent: 'claude-code',
      gitBranches: branch === undefined ? [] : [branch],
      models: [],
      filesTouched: [],
      filesTouchedCount: 0,
      subSessions: [],
      counts: {
        human: 0,
        queued: 0,
        assistant: 0,
        toolCalls: 0,
        toolErrors: 0,
        compactions: 0,
        exchanges: 0,
      },
      lines: { total: 0, bad: 0, oversize: 0, duplicate: 0, unknown: {} },
      redactions: {},
      ...known,
    },
  };
}

function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): Doc[] {
  return Array.isArray(value) ? value.filter(isDoc) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
