// Changes of a release as pure functions: text in, text out.

export type Bump = 'major' | 'minor' | 'patch';
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** `asked`: the part of the version to increase, or the version itself. Without it, the current version, for a first release. */
export function nextVersion(current: string, asked: string | undefined): string {
  const [, major = 0, minor = 0, patch = 0] = (VERSION.exec(current) ?? []).map(Number);
  if (asked === undefined) return current;
  if (asked === 'major') return `${major + 1}.0.0`;
  if (asked === 'minor') return `${major}.${minor + 1}.0`;
  if (asked === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (!VERSION.test(asked)) throw new Error(`${asked} is not a version. Use major, minor, patch or X.Y.Z.`);
  return asked;
}

const UNRELEASED = '## [Unreleased]\n';

/** The changelog with its unreleased notes moved under the version, and those notes. */
export function releasedChangelog(
  text: string,
  version: string,
  date: string,
): { changelog: string; notes: string } {
  if (text.includes(`## [${version}]`)) throw new Error(`The changelog already has version ${version}.`);
  const at = text.indexOf(UNRELEASED);
  if (at < 0) throw new Error('The changelog has no "## [Unreleased]".');
  const from = at + UNRELEASED.length;
  const next = text.indexOf('\n## [', from);
  const notes = text.slice(from, next < 0 ? undefined : next).trim();
  if (notes === '') throw new Error('The changelog has no entries under "## [Unreleased]".');
  const changelog = `${text.slice(0, from)}\n## [${version}] - ${date}\n${text.slice(from)}`;
  return { changelog, notes };
}

/** Files that contain the version, with a pattern for each. */
export const VERSIONED: Record<string, RegExp> = {
  'package.json': /(?<=^ {2}"version": ")[^"]+/m,
  'package-lock.json': /(?<=^ {2}"version": "|^ {4}"": \{\n {6}"name": "keepsake",\n {6}"version": ")[^"]+/gm,
  'plugin/.claude-plugin/plugin.json': /(?<=^ {2}"version": ")[^"]+/m,
  'plugin/.claude-plugin/marketplace.json': /(?<=^ {6}"version": ")[^"]+/m,
  'src/config/version.ts': /(?<=VERSION = ')[^']+/,
};

/** Every version that a file contains. */
export function versionsIn(file: string, text: string): string[] {
  const pattern = VERSIONED[file]!;
  return [...text.matchAll(new RegExp(pattern, 'gm'))].map(([found]) => found);
}

export function withVersion(file: string, text: string, version: string): string {
  if (versionsIn(file, text).length === 0) throw new Error(`${file} has no version.`);
  return text.replace(new RegExp(VERSIONED[file]!, 'gm'), version);
}

/** The newest version in the changelog; undefined before the first release. */
export function newestReleased(changelog: string): string | undefined {
  return /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog)?.[1];
}
