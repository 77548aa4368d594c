import { expect, test } from 'vitest';
import { commitMessages, withoutTrailers } from './commit-messages.ts';
import { shellWords } from './shell-words.ts';

const commit = (subject: string, body = '') => ({ subject, body, pullRequest: false });

test('every -m of a commit is a paragraph, and another command has its own options', () => {
  expect(commitMessages(`git commit -m "Bake bread" -m 'It rises.' -m "It's \\"fresh\\"."`)).toEqual([
    commit('Bake bread', 'It rises.\n\nIt\'s "fresh".'),
  ]);
  expect(commitMessages('git add -A && git commit -am "Bake bread" && python -m pytest')).toEqual([
    commit('Bake bread'),
  ]);
  expect(commitMessages('git commit \\\n  --message=bread \\\n  -m \\\n "more"')).toEqual([
    commit('bread', 'more'),
  ]);
});

test("escapes in $'...' are decoded", () => {
  expect(commitMessages(`git commit -m $'Bake bread\\n\\nIt\\'s fresh.\\n- \\u00fcber'`)).toEqual([
    commit('Bake bread', "It's fresh.\n- über"),
  ]);
  expect(commitMessages(`git commit -m 'A \\n stays'`)).toEqual([commit('A \\n stays')]);
});

test('a heredoc is read as a word, alone or beside others', () => {
  const here = '"$(cat <<\'EOF\'\nBake "bread"\n\nWhy: hunger.\nEOF\n)"';
  expect(commitMessages(`git commit -m ${here} && git push`)).toEqual([
    commit('Bake "bread"', 'Why: hunger.'),
  ]);
  expect(commitMessages(`git commit -m "Title" -m ${here}`)).toEqual([
    commit('Title', 'Bake "bread"\n\nWhy: hunger.'),
  ]);
  expect(commitMessages('git commit -F - <<EOF\nBake bread\n\nWhy.\nEOF')).toEqual([
    commit('Bake bread', 'Why.'),
  ]);
  expect(commitMessages(`gh pr create --title "Bread" --body ${here}`)).toEqual([
    { subject: 'Bread', body: 'Bake "bread"\n\nWhy: hunger.', pullRequest: true },
  ]);
});

test('trailers at the end are cut, in one paragraph or in several', () => {
  const trailers = [
    'Signed-off-by: Ada <ada@example.com>\nReviewed-by: Bob <bob@example.com>',
    'Assisted-by: a model\nChange-Id: I8f3a\nFixes: #12, #13\nCloses BREAD-7.',
    '🤖 Generated with [Claude Code](https://claude.com)\n\nCo-Authored-By: Claude <noreply@example.com>',
    'Bake-Checkpoint: 8f3a',
    'Co-Authored-By: Ada <ada@example.com>\n(cherry picked from commit 8f3a21c)',
    '🤖 Generated with a tool\n\nhttps://example.com/session_12',
  ];
  for (const trailer of trailers) expect(withoutTrailers(`It rises.\n\n${trailer}\n`)).toBe('It rises.');
});

test('a line with a hyphen and a colon is text, and so is everything above the trailers', () => {
  const body = 'opt-in: set BAKE=1.\nOpt-out: unset it.\nSide-Effect: it smells.\n\nIt rises.';
  expect(withoutTrailers(`${body}\n\nCo-Authored-By: Ada <ada@example.com>`)).toBe(body);
  expect(withoutTrailers('opt-in: set BAKE=1.')).toBe('opt-in: set BAKE=1.');
  expect(withoutTrailers('Fixes the crust, see #12')).toBe('Fixes the crust, see #12');
  for (const text of ['Fix utf-8.', 'Fixes UTF-8', 'BREAKING-CHANGE: ovens must be cleaned.'])
    expect(withoutTrailers(text)).toBe(text);
  expect(withoutTrailers('It rises.\n\nSigned-off-by: Ada <ada@example.com>\n\nSee the crust.')).toBe(
    'It rises.\n\n\nSee the crust.',
  );
  expect(commitMessages('git commit -m "opt-in: bake bread" -m "Why-not: cost."')).toEqual([
    commit('opt-in: bake bread', 'Why-not: cost.'),
  ]);
  expect(commitMessages('git commit -m "Fixes #12"')).toEqual([commit('Fixes #12')]);
});

test('words of a command end where the next one begins', () => {
  expect(shellWords(`a 'b c'"d"e\\ f | g`)).toEqual(['a', 'b cde f']);
  expect(shellWords('a "cut off')).toEqual(['a', 'cut off']);
});
