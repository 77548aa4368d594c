/** What was worked out of an object, remembered for as long as that object lives: it keeps nothing alive itself. */
export class PerOwner<O extends object, V extends object> {
  readonly #known = new WeakMap<O, V>();

  of(owner: O, make: () => V): V {
    const known = this.#known.get(owner);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(owner, made);
    return made;
  }
}
