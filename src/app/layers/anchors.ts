import { filesNamed } from '../../core/layers/facts/contradictions.ts';
import type { FactFile } from '../../core/model/fact.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { fields, figure, list, record, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

export const ANCHORS_FILE = 'memory/anchors.json';
/** A line may move this far and still count as the same. */
const MOVED = 40;

/** A line that a fact cites, as it was when the fact was first made. */
type Anchor = { file: string; line: number; hash: string };
type Anchors = Record<string, Anchor[]>;

export const ANCHORS: StoredKind<Anchors> = {
  schema: record(list(fields({ file: text, line: figure, hash: text }))),
  damaged: 'Earlier changes to lines that facts cite are not noticed; later ones are.',
};

/** Notes the lines that facts cite (`ui.js:42`) while they are there, so that a later change is noticed. */
export async function anchorFacts(world: World, manifest: Manifest, facts: FactFile): Promise<void> {
  const cited = new Map<string, { file: string; line: number }[]>();
  for (const { id, text } of citingTexts(facts)) {
    const places = filesNamed(text).flatMap(({ file, line }) => (line === undefined ? [] : [{ file, line }]));
    if (places.length > 0) cited.set(id, places);
  }
  if (cited.size === 0) return;
  const project = manifest.projectId;
  const anchors = await loadAnchors(world, project);
  let fresh = false;
  for (const [id, places] of cited) {
    if (Object.hasOwn(anchors, id)) continue;
    const found: Anchor[] = [];
    for (const { file, line } of places) {
      const lines = await linesOf(world, manifest.originalPath, file);
      const text = lines?.[line - 1]?.trim();
      if (text) found.push({ file, line, hash: shortHash(text, 16) });
    }
    if (found.length === 0) continue;
    anchors[id] = found;
    fresh = true;
  }
  if (fresh) await world.archive.files.write(project, ANCHORS_FILE, `${JSON.stringify(anchors, null, 1)}\n`);
}

/** Lines that a fact cites and that are no longer there, nor near. */
export async function changedAnchors(world: World, manifest: Manifest): Promise<Map<string, string[]>> {
  const changed = new Map<string, string[]>();
  const anchors = await loadAnchors(world, manifest.projectId);
  for (const [id, places] of Object.entries(anchors)) {
    for (const { file, line, hash } of places) {
      const lines = await linesOf(world, manifest.originalPath, file);
      // A file that is gone is reported as such.
      if (!lines) continue;
      const near = lines.slice(Math.max(0, line - 1 - MOVED), line + MOVED);
      if (near.some((text) => shortHash(text.trim(), 16) === hash)) continue;
      changed.set(id, [...(changed.get(id) ?? []), `${file}:${line}`]);
    }
  }
  return changed;
}

function citingTexts({ permanent }: FactFile): { id: string; text: string }[] {
  return [
    ...permanent.rules.map(({ id, content }) => ({ id, text: content })),
    ...permanent.semantic.map(({ id, content }) => ({ id, text: content })),
    ...permanent.solutions.map(({ id, solution }) => ({ id, text: solution })),
    ...permanent.core_logic.map(({ id, description }) => ({ id, text: description })),
  ];
}

async function linesOf(world: World, root: string, file: string): Promise<string[] | undefined> {
  if (root === '' || file.startsWith('/') || file.split('/').includes('..')) return undefined;
  return (await world.machine.readText(`${root}/${file}`))?.split('\n');
}

async function loadAnchors(world: World, project: ProjectId): Promise<Anchors> {
  const { value } = await readStored(world, project, ANCHORS_FILE, ANCHORS);
  return Object.assign(Object.create(null), value);
}

/** Asks the checkout which files of a project are gone. Knows nothing where the project's folder is not on this machine. */
export class StaleFiles {
  readonly #world: World;
  readonly #root: string;
  readonly #gone = new Map<string, boolean>();
  #here: boolean | undefined;

  constructor(world: World, manifest: Pick<Manifest, 'originalPath'>) {
    this.#world = world;
    this.#root = manifest.originalPath;
  }

  /** Those of the files that are no longer there. */
  async among(files: string[]): Promise<string[]> {
    if (!(await this.#isHere())) return [];
    const gone: string[] = [];
    for (const file of files) if (await this.#isGone(file)) gone.push(file);
    return gone;
  }

  /** A file may still exist on another branch: the sentence names the branch that was checked. */
  async describe(gone: string[]): Promise<string> {
    const branch = await this.#world.git.branch(this.#root);
    const names = gone.slice(0, 3).join(', ') + (gone.length > 3 ? ` and ${gone.length - 3} more` : '');
    return `${names} ${gone.length === 1 ? 'is' : 'are'} gone${branch === undefined ? '' : ` (on ${branch})`}`;
  }

  async #isHere(): Promise<boolean> {
    if (this.#here === undefined) {
      const access = this.#root === '' ? 'missing' : await this.#world.machine.accessTo(this.#root);
      this.#here = access === 'read' || access === 'write';
    }
    return this.#here;
  }

  async #isGone(file: string): Promise<boolean> {
    const known = this.#gone.get(file);
    if (known !== undefined) return known;
    // A path outside the project, or on another machine, says nothing.
    const inside = !/^(?:\/|[A-Za-z]:[\\/]|~)/.test(file) && !file.split(/[\\/]/).includes('..');
    const gone = inside && (await this.#world.machine.accessTo(`${this.#root}/${file}`)) === 'missing';
    this.#gone.set(file, gone);
    return gone;
  }
}
