import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import type { DocumentKind } from '../../core/model/search.ts';
import { conceptDocuments } from '../../core/search/documents/concepts.ts';
import { type Document, numberOf } from '../../core/search/documents/document.ts';
import { exchangeDocuments } from '../../core/search/documents/exchanges.ts';
import { factDocuments } from '../../core/search/documents/facts.ts';
import { keepitDocuments } from '../../core/search/documents/keepits.ts';
import { redact } from '../../core/text/redact.ts';
import { rowsOf } from '../find/sessions.ts';
import { journalDocuments } from '../journal/documents.ts';
import { journalTexts } from '../journal/journal-texts.ts';
import { CONCEPTS, CONCEPTS_FILE, exchangeFileName, FACTS, FACTS_FILE } from '../layers/statement-files.ts';
import { noteDamage, type StoredKind } from '../read-stored.ts';
import { authorOfFile, OTHERS, othersFiles, othersTexts } from '../rolling/others-memory.ts';
import { type MemoryText, memoryNames, textsIn } from '../rolling/texts.ts';
import type { World } from '../world.ts';

/** A file of documents. What it holds is read only when someone asks for it. */
export type DocumentFile = {
  kind: DocumentKind;
  name: string;
  /** Relative to the project's folder. */
  file: string;
  /** Changes if its contents change. */
  content: number;
  documents(): Promise<Document[]>;
};

/** Grows when documents are made otherwise from the same files. */
const DOCUMENTS = 2;

/** Everything that a project's memory contains besides its sessions. */
export async function* documentFiles(world: World, manifest: Manifest): AsyncGenerator<DocumentFile> {
  yield* memoryFiles(world, manifest.projectId);
  yield* journalFiles(world, manifest.projectId);
  yield* keepitFiles(manifest);
  yield* othersMemory(world, manifest.projectId);
  yield* exchangeFiles(world, manifest);
}

/** memory.md, its archives and summaries, notes, facts and concepts as stored, by any author. */
async function* memoryFiles(world: World, project: ProjectId): AsyncGenerator<DocumentFile> {
  for (const name of await memoryNames(world, project)) {
    const found = await memoryFile(world, project, name);
    if (found) yield found;
  }
}

async function memoryFile(world: World, project: ProjectId, name: string): Promise<DocumentFile | undefined> {
  const file = `memory/${name}`;
  const bytes = await world.archive.files.read(project, file);
  if (!bytes) return undefined;
  return {
    kind: kindOf(file),
    name,
    file,
    // Who looks for a document needs no sum of all of them.
    get content() {
      return numberOf(`${DOCUMENTS}\n${bytes.toString('utf8')}`);
    },
    documents: () => documentsOf(world, project, name, bytes),
  };
}

async function* journalFiles(world: World, project: ProjectId): AsyncGenerator<DocumentFile> {
  for (const file of await journalTexts(world, project)) {
    const text = (await world.archive.files.read(project, file))?.toString('utf8');
    if (text === undefined) continue;
    const content = numberOf(`${DOCUMENTS}\n${text}`);
    yield { kind: 'journal', name: file, file, content, documents: async () => journalDocuments(file, text) };
  }
}

/** memory.md and notes that came in with someone else's bundle. */
async function* othersMemory(world: World, project: ProjectId): AsyncGenerator<DocumentFile> {
  for (const file of await othersFiles(world, project)) {
    const bytes = await world.archive.files.read(project, file);
    if (!bytes) continue;
    const content = numberOf(`${DOCUMENTS}\n${bytes.toString('utf8')}`);
    yield {
      kind: kindOf(file),
      name: file,
      file,
      content,
      documents: () => othersDocuments(world, project, file),
    };
  }
}

async function othersDocuments(world: World, project: ProjectId, file: string): Promise<Document[]> {
  const author = await authorOfFile(world, project, file);
  return (await othersTexts(world, project, file)).map((text) => ({ ...asDocument(text), author }));
}

function kindOf(file: string): DocumentKind {
  if (file === FACTS_FILE) return 'fact';
  if (file === CONCEPTS_FILE) return 'concept';
  if (file.endsWith('.summary.json')) return 'summary';
  return /(?:^|\/)memory(?:_[^/]*)?\.md$/.test(file) ? 'memory' : 'note';
}

async function documentsOf(
  world: World,
  project: ProjectId,
  name: string,
  bytes: Buffer,
): Promise<Document[]> {
  const file = `memory/${name}`;
  // Of an older engine they are found anyway.
  const read = async <T>(kind: StoredKind<T>, documents: (value: T) => Document[]) => {
    const stored = parseStored(bytes, kind.schema);
    if (stored.state === 'damaged') await noteDamage(world, { project, name: file, bytes, ...stored }, kind);
    return stored.value === undefined ? [] : documents(stored.value);
  };
  if (file === FACTS_FILE) return read(FACTS, factDocuments);
  if (file === CONCEPTS_FILE) return read(CONCEPTS, conceptDocuments);
  return (await textsIn(world, project, name, bytes)).map(asDocument);
}

/** People write into these files by hand: what looks like a secret goes no further. */
function asDocument({ title, text, ts, at, source }: MemoryText): Document {
  return {
    title: redact(title).text,
    text: redact(text).text,
    ts,
    at,
    ...(source ? { sessionId: source.session, range: source.lines } : {}),
  };
}

function* keepitFiles(manifest: Manifest): Generator<DocumentFile> {
  for (const row of rowsOf(manifest)) {
    if (!row.registered || row.keepitMarkers.length === 0) continue;
    const documents = keepitDocuments(row.sessionId, row.keepitMarkers);
    yield {
      kind: 'keepit',
      name: row.sessionId,
      file: 'manifest.json',
      content: numberOf(`${DOCUMENTS}\n${JSON.stringify(documents)}`),
      documents: async () => documents,
    };
  }
}

/** They follow from the refined session alone: its stamp shows whether they are still the same. */
function* exchangeFiles(world: World, manifest: Manifest): Generator<DocumentFile> {
  const project = manifest.projectId;
  for (const record of Object.values(manifest.sessions)) {
    const { sessionId, l1, engine, registered, by } = record;
    if (!registered || l1.file === '') continue;
    yield {
      kind: 'exchange',
      name: sessionId,
      file: exchangeFileName(l1.file),
      content: numberOf([DOCUMENTS, LAYERS_ENGINE, engine, l1.file, l1.bytes, by ?? ''].join('\n')),
      documents: async () => {
        // Only what is reindexed, or found, needs what makes them.
        const { sessionExchanges } = await import('../layers/exchanges.ts');
        const documents = exchangeDocuments(sessionId, await sessionExchanges(world, project, record));
        return by === undefined ? documents : documents.map((it) => ({ ...it, author: by }));
      },
    };
  }
}

/** What a file below `memory/` holds. */
export async function memoryDocuments(world: World, project: ProjectId, name: string): Promise<Document[]> {
  return (await (await memoryFile(world, project, name))?.documents()) ?? [];
}

/** The documents of one source of the index, as they are now. */
export async function documentsIn(
  world: World,
  manifest: Manifest,
  kind: DocumentKind,
  name: string,
): Promise<Document[]> {
  const project = manifest.projectId;
  const isIt = (file: DocumentFile) => file.name === name;
  switch (kind) {
    case 'exchange':
      return (await [...exchangeFiles(world, manifest)].find(isIt)?.documents()) ?? [];
    case 'keepit':
      return (await [...keepitFiles(manifest)].find(isIt)?.documents()) ?? [];
    case 'journal':
      return journalDocuments(name, (await world.archive.files.read(project, name))?.toString('utf8') ?? '');
    default:
      return name.startsWith(`${OTHERS}/`)
        ? othersDocuments(world, project, name)
        : memoryDocuments(world, project, name);
  }
}
