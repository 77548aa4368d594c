import { versionContentId } from '../../core/bundle/content-id.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Part, VersionRecord } from '../../core/model/version.ts';
import { openProjects } from '../find/projects.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { type Uncovered, uncovered } from './delta.ts';

/** A version and its uses. */
export type VersionRow = VersionRecord & {
  /** The same in every archive that has it; `versionId` is a label that was assigned here. */
  contentId?: string;
  /** Names of the compositions that hold it. */
  usedIn: string[];
  /** When a composition or a session that began from one last took it up. */
  lastUsed: string | null;
};

export type VersionList = {
  sessionId: string;
  projectId: string;
  originalTokens: number;
  originalMessages: number;
  /** Compositions that hold the original as it is. */
  originalUsedIn: string[];
  parts: (Part & { versions: VersionRow[] })[];
  /** Made before Keepsake, of no part that is known here. */
  older: VersionRow[];
};

/** A session's versions by part, with their uses in every project. */
export async function listVersions(world: World, ref: SessionRef): Promise<VersionList> {
  const manifest = await manifestOf(world, ref);
  const record = manifest.sessions[ref.session]!;
  const uses = await usesOf(world, ref);
  const rows = record.compressions.map((version) => ({
    ...version,
    contentId: versionContentId(version),
    ...useOf(uses, version.versionId),
  }));
  return {
    sessionId: record.sessionId,
    projectId: ref.project,
    originalTokens: record.originalTokens,
    originalMessages: record.originalMessages,
    originalUsedIn: useOf(uses, 'original').usedIn,
    parts: (manifest.parts[ref.session] ?? []).map((part) => ({
      ...part,
      versions: rows.filter((row) => row.part === part.part),
    })),
    older: manifest.parts[ref.session] ? [] : rows,
  };
}

/** The same with what no part holds; left out where the session can't be read. */
export async function describeVersions(
  world: World,
  ref: SessionRef,
): Promise<VersionList & { uncovered?: Uncovered }> {
  const list = await listVersions(world, ref);
  const rest = await ifReadable(uncovered(world, ref));
  return rest ? { ...list, uncovered: rest } : list;
}

async function manifestOf(world: World, ref: SessionRef): Promise<Manifest> {
  const opened = await world.archive.open(ref.project);
  if (opened?.manifest.sessions[ref.session]) return opened.manifest;
  throw new Fault('not-found', `No session ${JSON.stringify(ref.session)}.`);
}

export async function findVersion(world: World, ref: SessionRef, text: string): Promise<VersionRecord> {
  return versionNamed((await manifestOf(world, ref)).sessions[ref.session]!.compressions, text);
}

/** `part1_v002`, `v002` if there is one part, or a content id; the fault where none or several fit. */
export function versionOrFault(versions: VersionRecord[], text: string): VersionRecord | Fault {
  const same = text.startsWith('vc_') ? versions.find((it) => versionContentId(it) === text) : undefined;
  if (same) return same;
  const short = /^v?0*([1-9]\d*)$/i.exec(text)?.[1];
  const whole = /^(?:part|p)0*([1-9]\d*)[_-]?v?0*([1-9]\d*)(?:_[\w-]*)?$/i.exec(text);
  const [part, number] = whole ? [Number(whole[1]), Number(whole[2])] : [undefined, Number(short ?? 0)];
  const fits = versions.filter((it) => numberOf(it) === number && (part === undefined || it.part === part));
  const [found] = fits;
  const several = part === undefined && new Set(versions.map((it) => it.part)).size > 1;
  if (found && !several) return found;
  const ids = versions.map((it) => it.versionId);
  if (several && found) {
    return new Fault('ambiguous', `${JSON.stringify(text)} exists in several parts.`, {
      hint: `Choose one: ${fits.map((it) => it.versionId).join(', ')}.`,
      choices: fits.map(({ versionId }) => ({ id: versionId })),
    });
  }
  return new Fault('not-found', `No version ${JSON.stringify(text.slice(0, 60))} of this session.`, {
    hint:
      ids.length === 0
        ? 'It has no versions yet. `keepsake compress` makes one.'
        : `It has ${ids.slice(-12).join(', ')}.`,
  });
}

export function versionNamed(versions: VersionRecord[], text: string): VersionRecord {
  const found = versionOrFault(versions, text);
  if (found instanceof Fault) throw found;
  return found;
}

function numberOf(record: VersionRecord): number {
  return Number(record.versionId.split('_v')[1]);
}

type Use = { name: string; versions: string[]; at: string };

/** Compositions of all projects that hold this session. */
async function usesOf(world: World, ref: SessionRef): Promise<Use[]> {
  const uses: Use[] = [];
  for (const manifest of await openProjects(world)) {
    for (const composition of Object.values(manifest.compositions)) {
      for (const component of composition.components) {
        const foreign = (component.projectId ?? manifest.projectId) !== ref.project;
        if (component.sessionId !== ref.session || foreign) continue;
        uses.push({
          name: composition.name,
          versions: component.versionId.split('+'),
          at: composition.lastUsed ?? composition.createdAt,
        });
      }
    }
  }
  return uses;
}

function useOf(uses: Use[], versionId: string): Pick<VersionRow, 'usedIn' | 'lastUsed'> {
  const own = uses.filter((use) => use.versions.includes(versionId));
  const times = own.map((use) => use.at).sort();
  return { usedIn: [...new Set(own.map((use) => use.name))].sort(), lastUsed: times.at(-1) ?? null };
}
