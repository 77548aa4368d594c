import type { BundleLine, ProjectLine } from '../../core/bundle/bundle-line.ts';
import { maskJsonLine, maskSecrets } from '../../core/bundle/mask-secrets.ts';
import type { Fact } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { sessionOfEdit } from '../../core/model/session-of-edit.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { withoutSession } from '../../core/rolling/entry.ts';
import { templateFacts } from '../bundle/export-facts.ts';
import { fileLines } from '../bundle/export-files.ts';
import { type ExportOptions, projectLine, recordLines } from '../bundle/export-project.ts';
import { sessionMark } from '../rolling/delta.ts';
import { memoryRecords } from '../rolling/memory-records.ts';
import type { World } from '../world.ts';
import { recordKeys, recordKeysIn } from './line-keys.ts';
import { isSummary } from './without-purged.ts';

const OPTIONS: ExportOptions = { secrets: false, template: false };

export type LeavingRecords = {
  level: ShareLevel;
  /** Sessions that never leave. */
  secret: ReadonlySet<string>;
  /** Those that the store never heard of: it does not hear of their purges, either. */
  unnamed: ReadonlySet<string>;
  /** Folders of which nothing may leave: what was composed of their sessions does not, either. */
  withheld: ReadonlySet<ProjectId>;
  /** Several people share the store: only this user's own words go there. */
  isTeam: boolean;
  /** This user's word about facts of others counts there, so it goes there. */
  mayReview: boolean;
  /** What the store has already. */
  isKnown: (key: string) => boolean;
};

/** The records of a folder that a store lacks, behind the line that says which folder it is; none where it has all. */
export async function newRecords(
  world: World,
  manifest: Manifest,
  leaving: LeavingRecords,
): Promise<string[]> {
  const head = bareProject(manifest);
  if (leaving.level === 'facts') {
    const fresh = [...purgeLines(manifest, leaving), ...(await factLines(world, manifest, leaving))].filter(
      (line) => isNew(line, leaving) && isOwn(line, leaving),
    );
    return fresh.length === 0 ? [] : [head, ...fresh].map(masked);
  }
  const lines: BundleLine[] = [];
  for await (const line of recordLines(world, manifest, OPTIONS)) lines.push(line);
  for (const overlay of manifest.overlays) lines.push({ t: 'overlay', overlay });
  const own = lines.filter((line) => isOwn(line, leaving));
  const rest = newLines(await withoutPrivate(own, leaving), leaving);
  const state = await projectState(world, manifest, leaving);
  if (rest.length === 0 && !state) return [];
  return [{ ...head, ...state }, ...rest].map(masked);
}

/** They are sent at every level: they contain no content, and what they remove may have been sent from here or elsewhere. */
function purgeLines({ tombstones }: Manifest, { unnamed }: LeavingRecords): BundleLine[] {
  return tombstones.flatMap((tombstone) =>
    tombstone.kind === 'session' && unnamed.has(tombstone.id) ? [] : [{ t: 'tombstone', tombstone }],
  );
}

/** What is settled by the user, as edits that someone else's facts can be made from. */
async function factLines(
  world: World,
  manifest: Manifest,
  { secret }: LeavingRecords,
): Promise<BundleLine[]> {
  const isOnlySecret = ({ sources }: Pick<Fact, 'sources'>) =>
    sources.length > 0 && sources.every(({ sessionId }) => secret.has(sessionId));
  const settled = (manifest.factEdits ?? []).filter((edit) => !secret.has(sessionOfEdit(edit)));
  const edits = [...settled, ...(await templateFacts(world, manifest, (fact) => !isOnlySecret(fact)))];
  return edits.map((edit) => ({ t: 'fact', edit }));
}

function bareProject(manifest: Manifest): ProjectLine {
  return { ...projectLine(manifest, OPTIONS), settings: {}, fields: [] };
}

/** Names, settings, notes and the blocks of memory.md, as far as they are new. */
async function projectState(
  world: World,
  manifest: Manifest,
  leaving: LeavingRecords,
): Promise<Partial<ProjectLine> | undefined> {
  const { fields = [] } = projectLine(manifest, OPTIONS);
  const fresh = fields.filter(
    ({ editId, field, key }) =>
      !leaving.isKnown(`e:${editId}`) && !(field === 'session' && leaving.secret.has(key)),
  );
  const memory = await memoryRecords(world, manifest.projectId, maskSecrets);
  const isEmpty = Object.keys(memory.notes).length === 0 && Object.keys(memory.blocks).length === 0;
  const line = { ...bareProject(manifest), ...memory };
  const hasMemory = !isEmpty && recordKeys(line).some((key) => !leaving.isKnown(key));
  if (fresh.length === 0 && !hasMemory) return undefined;
  return { fields: fresh, ...(hasMemory ? memory : {}) };
}

function isNew(line: BundleLine, { isKnown }: LeavingRecords): boolean {
  return recordKeys(line).some((key) => !isKnown(key));
}

/** What someone else wrote is for them to send. */
function isOwn(line: BundleLine, { isTeam, mayReview }: LeavingRecords): boolean {
  if (!isTeam) return true;
  if (line.t === 'fact' && line.edit.action === 'team-review' && !mayReview) return false;
  if (line.t === 'fact' || line.t === 'concept') return line.edit.author === undefined;
  if (line.t === 'overlay') return line.overlay.author === undefined;
  return line.t !== 'composition' || line.record.by === undefined;
}

/** A file is as new as its content; what names a composition goes with its files. */
function newLines(lines: readonly BundleLine[], leaving: LeavingRecords): BundleLine[] {
  const kept: BundleLine[] = [];
  let open: BundleLine[] = [];
  let waiting: BundleLine[] = [];
  for (const line of lines) {
    if (line.t === 'file') open = [line];
    else if (line.t === 'data') open.push(line);
    else if (line.t === 'eof') {
      const file = [...open, line];
      const isComposed = open[0]?.t === 'file' && open[0].file.kind === 'composition';
      if (isComposed) waiting.push(...file);
      else if (recordKeysIn(file).some((key) => !leaving.isKnown(key))) kept.push(...file);
    } else if (line.t === 'composition') {
      if (isNew(line, leaving)) kept.push(...waiting, line);
      waiting = [];
    } else if (isNew(line, leaving)) kept.push(line);
  }
  return kept;
}

/** Without what was made from a session that may not leave, and without summaries, which may quote it. */
async function withoutPrivate(
  lines: readonly BundleLine[],
  { secret, unnamed, withheld }: LeavingRecords,
): Promise<BundleLine[]> {
  const isWithheld = (session: string, folder: ProjectId | undefined) =>
    secret.has(session) || (folder !== undefined && withheld.has(folder));
  const marks = new Set([...secret].map(sessionMark));
  const kept: BundleLine[] = [];
  let composed: BundleLine[] = [];
  let memory: { name: string; bytes: Buffer[] } | undefined;
  for (const line of lines) {
    if (line.t === 'overlay' && secret.has(line.overlay.sessionId)) continue;
    if (line.t === 'link' && isWithheld(line.link.sourceSession, line.link.sourceProject)) continue;
    if (line.t === 'tombstone' && line.tombstone.kind === 'session' && unnamed.has(line.tombstone.id))
      continue;
    if (line.t === 'fact' && secret.has(sessionOfEdit(line.edit))) continue;
    if (line.t === 'file' && line.file.kind === 'memory') memory = { name: line.file.name, bytes: [] };
    if (memory && line.t === 'data') memory.bytes.push(bytesOf(line));
    if (memory && line.t === 'eof') {
      const text = Buffer.concat(memory.bytes).toString('utf8');
      const { name } = memory;
      const left = withoutSession(text, (mark) => marks.has(mark));
      memory = undefined;
      if (isSummary(name)) continue;
      for await (const piece of fileLines({ kind: 'memory', name }, [Buffer.from(left)])) kept.push(piece);
      continue;
    }
    if (memory) continue;
    const isComposed = line.t === 'file' && line.file.kind === 'composition';
    if (isComposed || (composed.length > 0 && line.t !== 'composition')) composed.push(line);
    else if (line.t === 'composition') {
      if (!line.record.components.some((it) => isWithheld(it.sessionId, it.projectId)))
        kept.push(...composed, line);
      composed = [];
    } else kept.push(line);
  }
  return kept;
}

function bytesOf({ text, base64 }: { text?: string | undefined; base64?: string | undefined }): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}

/** As JSON; secrets go here, whatever kind of line it is. */
function masked(line: BundleLine): string {
  return maskJsonLine(JSON.stringify(line));
}
