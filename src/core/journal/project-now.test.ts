import { expect, test } from 'vitest';
import { COMMAND_FILES, differences, NOWHERE, type ProjectNow } from './project-now.ts';

test.each([
  ['package.json', '{"scripts":{"build":"x","test":"y"}}', ['npm run build', 'npm test', 'pnpm build']],
  ['package.json', '{broken', []],
  ['Makefile', 'build: a b\n\tcc\n.PHONY: all\nX := 1\ntest-all:\n', ['make build', 'make test-all']],
  ['justfile', 'lint arg="x":\n  a\n@quiet:\n  b\n', ['just lint', 'just quiet']],
  [
    'mise.toml',
    '[tasks]\nfmt = "x"\n[tasks."test:ci"]\nrun = "y"\n[tools]\ngo = "1"\n',
    ['mise run fmt', 'mise run test:ci'],
  ],
  [
    'pyproject.toml',
    '[project.scripts]\nserve = "a:b"\n[tool.poe.tasks]\ncheck = "x"\n',
    ['serve', 'poe check'],
  ],
  ['Taskfile.yml', 'version: 3\ntasks:\n  build:\n    cmds: []\n', ['task build']],
])('%s defines commands', (name, text, wanted) => {
  const found = COMMAND_FILES.get(name)!.read(text);
  if (wanted.length === 0) expect(found).toEqual([]);
  for (const command of wanted) expect(found).toContain(command);
});

const now: ProjectNow = {
  ...NOWHERE,
  here: true,
  files: new Set(['src/a.ts', 'lib/moved.go']),
  commands: new Set(['npm run build']),
  runners: new Set(['npm']),
};

test('only what is really missing counts against a text', () => {
  expect(
    differences(
      '`src/a.ts`, `./src/a.ts`, `.github/ci.yml`, `dist/a.js`, `os.Stdout` and example.com/x and `npm install`, `make all`, `npm run build`',
      now,
    ),
  ).toEqual([]);
  expect(differences('see `src/gone.ts` and src/b/moved.go, run `npm run lint`', now)).toEqual([
    '`src/gone.ts` no longer exists',
    '`src/b/moved.go` is now `lib/moved.go`',
    '`npm run lint` is no longer defined',
  ]);
  const several = { ...now, files: new Set(['a/index.ts', 'b/index.ts']) };
  expect(differences('`src/old/index.ts`', several)).toEqual([]);
  expect(differences('`src/gone.ts`', NOWHERE)).toEqual([]);
  expect(differences('`src/gone.ts`', { ...now, cut: true })).toEqual([]);
});
