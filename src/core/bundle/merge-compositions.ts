import type { ComposedContextRecord } from '../model/composition.ts';
import type { ProjectId, SessionId } from '../model/ids.ts';
import { compositionContentId } from './content-id.ts';

export type IncomingComposition = { was: string; record: ComposedContextRecord };

type Names = {
  /** What a project is called here. */
  project: (id: ProjectId) => ProjectId;
  /** What the versions that a component names are called here. */
  versions: (session: SessionId, versions: string) => string;
};

/** Those that are not here yet; one whose name another has goes by the next free name. */
export function mergeCompositions(
  mine: Record<string, ComposedContextRecord>,
  theirs: readonly ComposedContextRecord[],
  names: Names,
): IncomingComposition[] {
  const known = new Set(
    Object.values(mine).flatMap((record) => [record.compositionId, compositionContentId(record)]),
  );
  const taken = new Set(Object.keys(mine).map(folded));
  const merged: IncomingComposition[] = [];
  for (const record of theirs) {
    const content = compositionContentId(record);
    if (known.has(record.compositionId) || known.has(content)) continue;
    const name = freeName(record.name, taken);
    taken.add(folded(name));
    known.add(record.compositionId).add(content);
    merged.push({ was: record.name, record: renamed(record, name, names) });
  }
  return merged;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(folded(name))) return name;
  for (let number = 2; ; number++) {
    const next = `${[...name].slice(0, 70).join('')}-${number}`;
    if (!taken.has(folded(next))) return next;
  }
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function renamed(record: ComposedContextRecord, name: string, names: Names): ComposedContextRecord {
  const { request } = record;
  const place = <C extends { projectId?: ProjectId | undefined; sessionId: SessionId; versionId: string }>(
    it: C,
  ): C => ({
    ...it,
    ...(it.projectId === undefined ? {} : { projectId: names.project(it.projectId) }),
    versionId: names.versions(it.sessionId, it.versionId),
  });
  return {
    ...record,
    name,
    outputFile: `composed/${name}/${record.outputFile.split('/').at(-1) ?? ''}`,
    components: record.components.map(place),
    ...(request ? { request: { ...request, components: request.components.map(place) } } : {}),
  };
}
