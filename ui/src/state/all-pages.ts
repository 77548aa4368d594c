type Page = { items: readonly unknown[]; next: string | null };

/** Every page of a list as one. */
export async function allPages<P extends Page>(ask: (after: string | undefined) => Promise<P>): Promise<P> {
  let page = await ask(undefined);
  const items = [...page.items];
  while (page.next !== null) {
    page = await ask(page.next);
    items.push(...page.items);
  }
  return { ...page, items };
}
