import { expect, test } from 'vitest';
import { commitMessages } from './commit-messages.ts';
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

test("escapes in $'...' are what they stand for", () => {
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

test('words of a command end where the next one begins', () => {
  expect(shellWords(`a 'b c'"d"e\\ f | g`)).toEqual(['a', 'b cde f']);
  expect(shellWords('a "cut off')).toEqual(['a', 'cut off']);
});
