type Named = { name?: string | undefined; metadata: { title?: string | undefined } };

/** What a session is called: the user's name for it, else its title. */
export function sessionTitle({ name, metadata }: Named): string | undefined {
  return name ?? metadata.title;
}
