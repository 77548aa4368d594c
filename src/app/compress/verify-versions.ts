import { createHash } from 'node:crypto';
import type { VersionRecord } from '../../core/model/version.ts';
import type { Finding } from '../../ports/archive.ts';
import type { SessionRow } from '../find/sessions.ts';
import { readSource, type SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { engineName, makeVersion } from './make-version.ts';
import { versionFolder } from './version-files.ts';

/** Makes every version of a session again from its original and compares the bytes. */
export async function verifyVersions(
  world: World,
  row: SessionRow,
  signal?: AbortSignal,
): Promise<Finding[]> {
  if (row.compressions.length === 0) return [];
  const ref = { project: row.projectId, session: row.sessionId };
  const source = await readSource(world, ref);
  const findings: Finding[] = [];
  for (const version of row.compressions) {
    const subject = `${row.projectName} ${row.sessionId} ${version.versionId}`;
    const finding = await verifyVersion(world, source, version, signal);
    if (finding) findings.push({ subject, ...finding });
  }
  return findings;
}

async function verifyVersion(
  world: World,
  source: SessionSource,
  version: VersionRecord,
  signal: AbortSignal | undefined,
): Promise<Omit<Finding, 'subject'> | undefined> {
  const hint = `Delete it, then compress again: keepsake prune ${source.ref.session} ${version.versionId}`;
  const wrong = await wrongFile(world, source, version);
  if (wrong) return { level: 'error', message: wrong, hint };
  if (
    version.settings.model !== 'extractive' ||
    version.engine !== engineName(source, version.settings.mode)
  ) {
    const by =
      version.settings.model === 'extractive'
        ? `an older engine (${version.engine})`
        : version.settings.model;
    return {
      level: 'ok',
      message: `Made by ${by}. Its hashes are correct; it can't be rebuilt for comparison.`,
    };
  }
  const part = source.parts.find((it) => it.part === version.part);
  if (!part) return { level: 'error', message: `Its part ${version.part} is not recorded.`, hint };
  const made = await makeVersion(world, { source, part }, version.settings, { signal });
  if (made.facts.inputHash !== version.inputHash)
    return { level: 'error', message: 'The bytes of the original that it was made from have changed.' };
  if (version.derivedHash !== undefined && made.facts.derivedHash !== version.derivedHash)
    return {
      level: 'ok',
      message:
        "Made from statements and keepits that have changed since. Its hashes are correct; it can't be rebuilt for comparison.",
    };
  if (made.markdownHash !== version.markdownHash || made.jsonlHash !== version.jsonlHash)
    return { level: 'error', message: 'Rebuilt from the same sources, it differs.', hint };
  return undefined;
}

async function wrongFile(
  world: World,
  { ref }: SessionSource,
  version: VersionRecord,
): Promise<string | undefined> {
  for (const [ending, hash] of [
    ['md', version.markdownHash],
    ['jsonl', version.jsonlHash],
  ] as const) {
    const name = `${versionFolder(ref.session)}/${version.file}.${ending}`;
    const bytes = await world.archive.files.read(ref.project, name);
    if (!bytes) return `${name} is missing.`;
    // From before Keepsake: nobody recorded what it was.
    if (hash === '') continue;
    if (createHash('sha256').update(bytes).digest('hex') !== hash) return `${name} was changed.`;
  }
  return undefined;
}
