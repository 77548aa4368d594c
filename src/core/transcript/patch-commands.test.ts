import { describe, expect, it } from 'vitest';
import { knownCalls } from './known-tools.ts';

const PATCH = [
  '*** Begin Patch',
  '*** Update File: src/a.ts',
  '@@',
  '-const tea = 1;',
  '+const tea = 2;',
  '*** Add File: src/b.ts',
  '+export {};',
  '*** End Patch',
].join('\n');
const edits = (folder = '') => [
  ['Edit', `${folder}src/a.ts`],
  ['Write', `${folder}src/b.ts`],
];
const namesOf = (name: string, input: Record<string, unknown>) =>
  knownCalls(name, input).map((call) => [call.name, call.input.file_path ?? call.input.command]);

describe('a patch inside a command', () => {
  it.each([
    ['exec_command', { cmd: `apply_patch <<'EOF'\n${PATCH}\nEOF` }],
    ['shell', { command: ['bash', '-lc', `apply_patch <<'PATCH'\n${PATCH}\nPATCH\n`] }],
    ['shell', { command: ['apply_patch', PATCH] }],
    ['shell_command', { command: `apply_patch "${PATCH}"` }],
    ['shell_command', { command: `applypatch <<EOF\n${PATCH}\nEOF` }],
    ['exec_command', { cmd: `cat <<"EOF" | apply_patch\n${PATCH}\nEOF` }],
    ['exec_command', { cmd: `bash -lc "apply_patch <<'EOF'\n${PATCH}\nEOF\n"` }],
    ['shell', { command: ['powershell', '-Command', `@'\n${PATCH}\n'@ | apply_patch`] }],
  ])('is the edits of its files: %s %j', (name, input) => {
    expect(namesOf(name, input)).toEqual(edits());
  });

  it('is relative to where the command runs', () => {
    const cmd = `apply_patch <<'EOF'\n${PATCH}\nEOF`;
    expect(namesOf('exec_command', { cmd, workdir: '/srv/shop' })).toEqual(edits('/srv/shop/'));
    expect(namesOf('exec_command', { cmd: `cd api && ${cmd}`, workdir: '/srv/shop' })).toEqual(
      edits('/srv/shop/api/'),
    );
    expect(namesOf('exec_command', { cmd: `cd "/srv/my shop" && ${cmd}` })).toEqual(edits('/srv/my shop/'));
  });

  it('means what the quotes of a shell mean', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.sh',
      '-x',
      `+echo "$HOME" 'a'`,
      '*** End Patch',
    ].join('\n');
    const double = `apply_patch "${patch.replace(/["$]/g, '\\$&')}"`;
    const single = `apply_patch '${patch.replaceAll("'", `'\\''`)}'`;
    for (const cmd of [double, single])
      expect(knownCalls('exec_command', { cmd })[0].input.new_string).toBe(`echo "$HOME" 'a'`);
  });

  it('names a file that was moved by its new name', () => {
    const cmd = `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n-1\n+2\n*** End Patch\nEOF`;
    expect(namesOf('exec_command', { cmd })).toEqual([['Edit', 'b.ts']]);
  });

  it('leaves what else the command runs', () => {
    const cmd = `apply_patch <<'EOF'\n${PATCH}\nEOF\nnpm test`;
    expect(namesOf('exec_command', { cmd })).toEqual([['Bash', 'npm test'], ...edits()]);
    const before = `apply_patch <<'EOF' && npm test\n${PATCH}\nEOF`;
    expect(namesOf('exec_command', { cmd: before })).toEqual([['Bash', 'npm test'], ...edits()]);
  });

  it('is none where a patch is only read or written about', () => {
    const cmd = `grep -n '*** Begin Patch' docs/format.md`;
    expect(namesOf('exec_command', { cmd })).toEqual([['Bash', cmd]]);
    const doc = `cat > docs/apply_patch.md <<'EOF'\nUse apply_patch so:\n\n${PATCH}\nEOF`;
    expect(namesOf('exec_command', { cmd: doc })).toEqual([['Bash', doc]]);
  });
});

describe('a script that calls tools', () => {
  it('is the commands and the edits that it makes', () => {
    const literal = JSON.stringify(PATCH.replaceAll('const tea', '"tea" \\ const tea'));
    const input = `const patch = ${literal};\ntext(await tools.apply_patch(patch));
      const r = await tools.exec_command({"cmd":"cargo test \\"a b\\"","workdir":"/srv"}); text(r.output)`;
    const calls = knownCalls('exec', { input });
    expect(calls.map((call) => call.name)).toEqual(['Bash', 'Edit', 'Write']);
    expect(calls[0].input.command).toBe('cargo test "a b"');
    expect(calls[1]!.input.new_string).toBe('"tea" \\ const tea = 2;');
  });

  it('reads strings in every kind of quotes', () => {
    const input = `await tools.exec_command({cmd:'ls \\x41\\u0042\\u{43}'}); await tools.apply_patch(\`${PATCH}\`)`;
    expect(namesOf('exec', { input })).toEqual([['Bash', 'ls ABC'], ...edits()]);
  });

  it('stays what it is where it calls neither', () => {
    const input = 'const p = await tools.update_plan({plan:[]}); text(p)';
    expect(knownCalls('exec', { input })).toEqual([{ name: 'exec', input: { input } }]);
  });
});
