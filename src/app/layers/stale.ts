import type { Manifest } from '../../core/model/manifest.ts';
import type { World } from '../world.ts';

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

  /** On another branch a file may still be there: the sentence says which one was looked at. */
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
