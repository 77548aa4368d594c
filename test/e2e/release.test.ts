import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packedManifest } from '../../scripts/packed-manifest.ts';
import {
  newestReleased,
  nextVersion,
  releasedChangelog,
  VERSIONED,
  versionsIn,
  withVersion,
} from '../../scripts/release-plan.ts';
import { VERSION } from '../../src/config/version.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');

describe('the version', () => {
  test.each(Object.keys(VERSIONED))('%s says the same as `keepsake --version`', (file) => {
    const found = versionsIn(file, read(file));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([VERSION]));
  });

  test('the lock file has it twice: for the package and for its root', () => {
    expect(versionsIn('package-lock.json', read('package-lock.json'))).toHaveLength(2);
  });

  test('the newest version in the changelog is the same', () => {
    expect(newestReleased(read('CHANGELOG.md')) ?? VERSION).toBe(VERSION);
  });

  test('a new version is written everywhere, and nothing else changes', () => {
    for (const file of Object.keys(VERSIONED)) {
      const before = read(file);
      const after = withVersion(file, before, '9.8.7');
      expect(new Set(versionsIn(file, after))).toEqual(new Set(['9.8.7']));
      expect(withVersion(file, after, VERSION)).toBe(before);
    }
    expect(() => withVersion('package.json', '{}', '9.8.7')).toThrow('has no version');
  });

  test('is raised by the requested part', () => {
    expect(['major', 'minor', 'patch', undefined, '2.0.0'].map((it) => nextVersion('1.2.3', it))).toEqual([
      '2.0.0',
      '1.3.0',
      '1.2.4',
      '1.2.3',
      '2.0.0',
    ]);
    expect(() => nextVersion('1.2.3', 'soon')).toThrow('is not a version');
  });
});

test('the package.json of a package lists nothing to install, and the Node that the launcher accepts', () => {
  const own = JSON.parse(read('package.json'));
  const packed = packedManifest(read('package.json'));
  const { engines, ...rest } = JSON.parse(packed);
  const { devDependencies, optionalDependencies, engines: _, ...wanted } = own;
  expect(Object.keys({ ...devDependencies, ...optionalDependencies }).length).toBeGreaterThan(0);
  expect([rest, own.dependencies]).toEqual([wanted, undefined]);
  expect(packedManifest(packed)).toBe(packed);
  const launcher = read('bin/keepsake');
  const [last = '', ...first] = engines.node.match(/\d+(?:\.\d+)+/g).toReversed();
  for (const version of [...first, last.replace(/(?:\.0)+$/, '')])
    expect(launcher).toContain(version.replace(/\.0$/, ''));
});

describe('the changelog of a release', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n';

  test('has the unreleased notes under the version, and an empty section for the next', () => {
    const { changelog, notes } = releasedChangelog(text, '0.2.0', '2026-02-03');
    expect(notes).toBe('### Added\n\n- A thing.');
    expect(changelog).toBe(text.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n'));
    expect(newestReleased(changelog)).toBe('0.2.0');
  });

  test('is refused without notes, without a section for them, and for an existing version', () => {
    const empty = text.replace('### Added\n\n- A thing.\n\n', '');
    expect(() => releasedChangelog(empty, '0.2.0', '2026-02-03')).toThrow('has no entries');
    expect(() => releasedChangelog('# Changelog\n', '0.2.0', '2026-02-03')).toThrow('no "## [Unreleased]"');
    expect(() => releasedChangelog(text, '0.1.0', '2026-02-03')).toThrow('already');
  });
});
