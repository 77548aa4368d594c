const WORDS: Record<string, string> = {
  agent: 'from the agent',
  model: 'written by a model',
  import: 'imported',
};

/** How something came in, with `before` in front of it. What someone typed needs no words. */
export function viaText(via: string | undefined, before = ''): string {
  const words = WORDS[via ?? ''];
  return words === undefined ? '' : `${before}${words}`;
}
