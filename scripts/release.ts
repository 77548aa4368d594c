// npm run release -- [major|minor|patch|X.Y.Z] [--dry-run]: checks, changelog, version, tag, package, checksums. Nothing is pushed or published.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextVersion, releasedChangelog, VERSIONED, withVersion } from './release-plan.ts';

const ROOT = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const isTrial = args.includes('--dry-run');
const asked = args.find((arg) => !arg.startsWith('--'));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function run(command: string, rest: string[], options: { quiet?: true } = {}): string {
  const stdio = ['ignore', options.quiet ? 'pipe' : 'inherit', 'inherit'] as const;
  const ran = spawnSync(command, rest, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: [...stdio],
    shell: process.platform === 'win32',
  });
  if (ran.status !== 0) throw new Error(`${command} ${rest.join(' ')} failed with status ${ran.status}.`);
  return ran.stdout ?? '';
}

function git(...rest: string[]): string {
  return run('git', rest, { quiet: true }).trim();
}

/** In a dry run the problem is only printed, so that later steps run, too. */
function insist(isTrue: boolean, otherwise: string): void {
  if (isTrue) return;
  if (!isTrial) throw new Error(otherwise);
  console.log(`! ${otherwise}`);
}

function release(): void {
  const current = String(JSON.parse(read('package.json')).version);
  const version = nextVersion(current, asked);
  const tag = `v${version}`;
  console.log(`== ${isTrial ? 'dry run of release' : 'release'} ${version} (now ${current})`);
  insist(git('status', '--porcelain') === '', 'There are uncommitted changes.');
  insist(git('tag', '--list', tag) === '', `The tag ${tag} already exists.`);
  const { changelog, notes } = releasedChangelog(
    read('CHANGELOG.md'),
    version,
    new Date().toISOString().slice(0, 10),
  );

  console.log(`\n== checks`);
  run('npm', isTrial ? ['run', '--silent', 'check'] : ['test']);

  console.log(
    `\n== changelog: ${notes.split('\n').filter((line) => line.startsWith('- ')).length} notes under ${version}`,
  );
  const changed = Object.keys(VERSIONED).map((file): [string, string] => [
    file,
    withVersion(file, read(file), version),
  ]);
  for (const [file] of changed) console.log(`${file}: ${version}`);
  if (!isTrial) {
    for (const [file, text] of [...changed, ['CHANGELOG.md', changelog] as const])
      writeFileSync(join(ROOT, file), text);
    git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  }

  console.log(`\n== package`);
  const folder = isTrial ? mkdtempSync(join(tmpdir(), 'keepsake-release-')) : join(ROOT, 'release');
  mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(
    packedAs(run('npm', ['pack', '--json', '--pack-destination', folder], { quiet: true })),
  );
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, packed.filename)))
    .digest('hex');
  writeFileSync(join(folder, 'SHA256SUMS'), `${sum}  ${packed.filename}\n`);
  console.log(
    `${join(folder, packed.filename)}: ${packed.entryCount} files, ${packed.size} bytes, ${packed.unpackedSize} unpacked`,
  );
  console.log(`${sum}  ${packed.filename}`);

  if (!isTrial) git('tag', '--annotate', tag, '--message', notes);
  console.log(`\n== tag ${tag}${isTrial ? ': not created; only the package was built' : ''}`);
  if (!isTrial) console.log(`Next: git push --follow-tags, npm publish ${join('release', packed.filename)}`);
}

/** Scripts that npm runs before packing may print first. */
function packedAs(output: string): string {
  return output.slice(output.indexOf('[\n'));
}

release();
