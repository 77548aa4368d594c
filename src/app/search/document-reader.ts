import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { type Document, documentHash } from '../../core/search/documents/document.ts';
import type { LinePlace, SourceRow } from '../../ports/search-index.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { documentsIn } from './document-files.ts';

/** Documents that the index found, read from their own files; each file once. */
export class DocumentReader {
  readonly #world: World;
  readonly #manifests = new Map<string, Promise<Manifest | undefined>>();
  readonly #files = new Map<number, Promise<Document[]>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Undefined when it is no longer what the index knows. */
  async read(row: SourceRow, { at, src }: LinePlace): Promise<Document | undefined> {
    let documents = this.#files.get(row.id);
    if (!documents) {
      documents = this.#read(row);
      this.#files.set(row.id, documents);
    }
    const document = (await documents)[at];
    return document && documentHash(document) === src ? document : undefined;
  }

  async #read({ project, kind, name }: SourceRow): Promise<Document[]> {
    const manifest = await this.#manifest(project);
    if (!manifest || kind === 'session') return [];
    return (await ifReadable(documentsIn(this.#world, manifest, kind, name), this.#world.report)) ?? [];
  }

  #manifest(project: ProjectId): Promise<Manifest | undefined> {
    let manifest = this.#manifests.get(project);
    if (!manifest) {
      manifest = ifReadable(this.#world.archive.open(project)).then((it) => it?.manifest);
      this.#manifests.set(project, manifest);
    }
    return manifest;
  }
}
