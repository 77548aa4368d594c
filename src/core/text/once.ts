/** What is made on first use, and then is always the same: for constants that take their time to make. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
