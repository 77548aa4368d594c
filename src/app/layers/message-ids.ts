import type { FactFile, FactSource } from '../../core/model/fact.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { list, text, tuple } from '../../core/model/shape.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { originalName } from '../find/session-ref.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

const MESSAGE_IDS: StoredKind<[string, string][]> = {
  schema: list(tuple(text, text)),
  damaged: 'Keepsake looks up the message ids again.',
};

export function idsFile(project: string): string {
  return `layers/${project}.ids.json`;
}

/** The ids of messages by their place in the original, kept in the cache: each is read once. */
export class MessageIds {
  readonly #world: World;
  readonly #manifest: Manifest;
  #known: Map<string, string> | undefined;
  #fresh = false;

  constructor(world: World, manifest: Manifest) {
    this.#world = world;
    this.#manifest = manifest;
  }

  /** Every source of every fact names its message. */
  async fill({ permanent, candidates, others = [] }: FactFile): Promise<void> {
    const { rules, solutions, core_logic, semantic } = permanent;
    const lasting = [...rules, ...solutions, ...core_logic, ...semantic, ...others];
    const sources = [
      ...lasting.flatMap((fact) => [...fact.sources, ...fact.against]),
      ...candidates.flatMap((it) => it.sources),
    ];
    for (const source of sources) if (source.sessionId !== '') source.messageUuid = await this.#idOf(source);
    if (this.#fresh && this.#known)
      await this.#world.archive.files.write(undefined, this.#file, JSON.stringify([...this.#known]));
  }

  get #file(): string {
    return idsFile(this.#manifest.projectId);
  }

  async #idOf({ sessionId, src }: FactSource): Promise<string> {
    this.#known ??= await this.#load();
    const key = `${sessionId}:${src}`;
    const found = this.#known.get(key) ?? (await this.#read(sessionId, src));
    if (found === undefined) return '';
    if (!this.#known.has(key)) this.#fresh = true;
    this.#known.set(key, found);
    return found;
  }

  /** Undefined where its copy is not here: it may come again. */
  async #read(sessionId: string, src: number): Promise<string | undefined> {
    const { archive, transcripts } = this.#world;
    const { projectId, sessions } = this.#manifest;
    const record = sessions[sessionId];
    if (!record) return '';
    const name = originalName(record.sessionId);
    if ((await archive.originals.size(projectId, name)) === undefined) return undefined;
    const path = archive.originals.path(projectId, name);
    let id = '';
    await transcripts.readLines(path, src, (line, at, last) => {
      id = readLine(record.metadata.agent as Agent, line, at, last).objects[0]?.entries[0]?.id ?? '';
      return 'stop';
    });
    return id;
  }

  async #load(): Promise<Map<string, string>> {
    return new Map((await readStored(this.#world, undefined, this.#file, MESSAGE_IDS)).value);
  }
}
