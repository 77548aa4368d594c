import { expect, test } from 'vitest';
import { snippetWords } from './snippet-words.ts';

test.each([
  ['…2) Verify ```bash docker info…', '…2) Verify docker info…'],
  ['…hook handler** — a TS file…', '…hook handler — a TS file…'],
  ['your host directory `` to the same path', 'your host directory to the same path'],
  ['| OpenClaw Event | Entire Hook | Equivalent', '| OpenClaw Event Entire Hook Equivalent'],
  ['…… — Trailer blank line', '… — Trailer blank line'],
  ['…end. ## Next **steps** are', '…end. Next steps are'],
])('%j is shown without marks that are left over', (snippet, words) => {
  expect(snippetWords(snippet)).toBe(words);
});
