/** The first error is thrown only when none of them writes any more. */
export async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let open = works.length;
  const counted = works.map((work) =>
    work.finally(() => {
      if (--open === 0) resolve();
    }),
  );
  try {
    await Promise.all(counted);
  } finally {
    if (open > 0) await ended;
  }
}
