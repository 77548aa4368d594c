import fc from 'fast-check';
import type { BundleProject, SessionLine } from '../../src/core/bundle/bundle-line.ts';
import { compositionContentId, versionContentId } from '../../src/core/bundle/content-id.ts';
import { mergePlan } from '../../src/core/bundle/merge-plan.ts';
import { effectiveMarkers } from '../../src/core/keepit/overlays.ts';
import { conceptsOf } from '../../src/core/layers/concepts/concepts.ts';
import { factsOf } from '../../src/core/layers/facts/facts.ts';
import { statementId } from '../../src/core/layers/facts/ids.ts';
import { applyChanges, newProjectChange } from '../../src/core/model/change.ts';
import type { ComposedContextRecord } from '../../src/core/model/composition.ts';
import type { ConceptEdit } from '../../src/core/model/concept.ts';
import type { ExchangeRecord } from '../../src/core/model/exchange.ts';
import type { FactEdit } from '../../src/core/model/fact.ts';
import type { FieldEdit } from '../../src/core/model/field-edit.ts';
import { fieldRecords } from '../../src/core/model/field-state.ts';
import { type SessionId, sanitizePath, shortHash } from '../../src/core/model/ids.ts';
import type { Manifest } from '../../src/core/model/manifest.ts';
import type { Overlay } from '../../src/core/model/overlay.ts';
import { latestOf, nextStamp, type Stamp, type Stamped } from '../../src/core/model/record-order.ts';
import type { SessionRecord } from '../../src/core/model/session.ts';
import type { VersionRecord } from '../../src/core/model/version.ts';
import {
  memoryBlocks,
  mergeRolling,
  observedBlocks,
  type RollingTexts,
} from '../../src/core/rolling/memory-blocks.ts';
import { mergedMemory } from '../../src/core/rolling/merged-memory.ts';
import {
  editedLines,
  linesOfText,
  mergeLines,
  type NoteLine,
  textOfLines,
} from '../../src/core/rolling/note-lines.ts';

/** The folders of one repository: its checkout and two worktrees. */
const FOLDERS = ['/srv/shop', '/srv/trees/1', '/srv/trees/2'];
const SESSION = 'one' as SessionId;
const RULES = ['Use pnpm.', 'Never amend.', 'Prices are in cents.'];
const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);

/** One folder of an archive without its disk: what the user edits, merged by the functions that an import uses. */
export type Device = {
  name: string;
  index: number;
  folder: number;
  owner: string;
  /** Milliseconds that its clock is off. */
  skew: number;
  manifest: Manifest;
  note: NoteLine[];
  rolling: RollingTexts;
  count: number;
};

export type Step =
  | { kind: 'edit'; device: number; folder: number; what: number; value: number; old: boolean }
  | { kind: 'merge'; from: number; to: number; twice: boolean };

export const histories = fc.record({
  devices: fc.array(fc.integer({ min: -5 * DAY, max: 5 * DAY }), { minLength: 3, maxLength: 5 }),
  steps: fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('edit' as const),
          device: fc.nat(4),
          folder: fc.nat(FOLDERS.length - 1),
          what: fc.nat(15),
          value: fc.nat(5),
          old: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('merge' as const),
          from: fc.nat(4),
          to: fc.nat(4),
          twice: fc.boolean(),
        }),
      },
    ),
    { minLength: 5, maxLength: 40 },
  ),
  /** In which the devices meet at the end. */
  order: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 12 }),
});

export function newDevice(
  index: number,
  skew: number,
  { owner, folder }: { owner: string; folder: number },
): Device {
  const change = newProjectChange({
    projectId: sanitizePath(FOLDERS[folder]!),
    originalPath: FOLDERS[folder]!,
    displayName: 'shop',
    createdAt: new Date(START).toISOString(),
  });
  const session = { at: ['sessions', SESSION], put: sessionRecord() };
  return {
    name: `device-${'dbeac'[index] ?? index}`,
    index,
    folder,
    owner,
    skew,
    manifest: applyChanges({} as Manifest, [change, session]),
    note: [],
    rolling: { memory: '', archives: new Map(), records: {} },
    count: 0,
  };
}

function sessionRecord(): SessionRecord {
  const keepitMarkers = [0, 1].map((at) => ({
    markerId: `k_${at}`,
    messageUuid: 'm',
    weight: 0.5,
    content: `kept ${at}`,
    position: { start: 0, end: 1 },
    context: '',
    createdAt: '',
    survivedIn: [],
    summarizedIn: [],
    origin: 'user' as const,
    held: at === 1,
    src: at,
  }));
  return {
    sessionId: SESSION,
    registered: true,
    keepitMarkers,
    compressions: [],
  } as unknown as SessionRecord;
}

/** One more edit of whatever kind; `old`: as a version before stamps made it. */
export function edit(
  device: Device,
  { what, value, old }: { what: number; value: number; old: boolean },
  tick: number,
) {
  const wall = START + 60_000 * tick + device.skew;
  const at = new Date(wall).toISOString();
  const { manifest } = device;
  const all = [manifest.overlays, manifest.factEdits, manifest.conceptEdits, manifest.fieldEdits].flatMap(
    (it) => (it ?? []) as Stamped[],
  );
  const stamp = nextStamp(latestOf(all), wall, device.name);
  const id = shortHash(`${device.name} ${device.folder} ${device.count++}`, 8);
  const base = old ? { at } : { at, ...stamp };
  const append = (list: string, record: object) => {
    device.manifest = applyChanges(device.manifest, [{ at: [list], append: record }]);
  };
  const content = RULES[value % 3]!;
  const factId = statementId('rule', content);
  const fact = (rest: object) =>
    append('factEdits', { editId: id, factId, by: 'user', ...base, ...rest } as FactEdit);
  const overlay = (rest: object) =>
    append('overlays', {
      overlayId: id,
      sessionId: SESSION,
      markerId: `k_${value % 2}`,
      ...base,
      ...rest,
    } as Overlay);
  const concept = (rest: object) => append('conceptEdits', { editId: id, ...base, ...rest } as ConceptEdit);
  const field = (rest: Pick<FieldEdit, 'field' | 'key' | 'value'>, change: object) => {
    if (!old || rest.field === 'project') append('fieldEdits', { editId: id, at, ...stamp, ...rest });
    // An older version knows only values, and wrote them before there were records.
    else if (device.manifest.fieldEdits?.some((it) => it.key === rest.key)) return;
    device.manifest = applyChanges(device.manifest, [change as never]);
  };
  const steps: (() => void)[] = [
    () => fact({ action: 'add', kind: 'rule', content }),
    () => fact({ action: 'confirm' }),
    () => fact({ action: 'correct', content: `${content} ${id}` }),
    () => fact({ action: 'forget' }),
    () => fact({ action: 'contradict', note: `Not so: ${id}` }),
    () => overlay({ action: 'weight', weight: value / 5 }),
    () => overlay({ action: 'remove' }),
    () => overlay({ action: 'confirm' }),
    () => concept({ action: 'rename', exchange: `ex_${value}`, name: `Name ${id}` }),
    () =>
      concept({ action: 'merge', exchanges: [`ex_${value}`, `ex_${(value + 1) % 6}`], name: `Both ${id}` }),
    () => concept({ action: 'split', exchanges: [`ex_${value}`] }),
    () =>
      field(
        { field: 'project', key: '', value: `shop ${id}` },
        { at: [], merge: { displayName: `shop ${id}` } },
      ),
    () =>
      field(
        { field: 'session', key: SESSION, value: `name ${id}` },
        { at: ['sessions', SESSION], merge: { name: `name ${id}` } },
      ),
    () => {
      const at = ['settings', 'levels', 'light'];
      if (value === 0 && !old)
        field({ field: 'setting', key: 'levels.light', value: undefined }, { at, drop: true });
      else field({ field: 'setting', key: 'levels.light', value }, { at, put: value });
    },
    () => editNote(device, { value, id, stamp, old }),
    () => editMemory(device, value, id, stamp),
  ];
  steps[what]!();
  if (value === 5) addVersion(device, what, id);
}

type NoteStep = { value: number; id: string; stamp: Stamp; old: boolean };

function editNote(device: Device, { value, id, stamp, old }: NoteStep): void {
  const lines = textOfLines(device.note).split('\n').slice(0, -1);
  if (value < 4 || lines.length === 0)
    lines.splice(value % (lines.length + 1), 0, value % 2 === 0 ? `- line ${id}` : '- same');
  else lines.splice(value % lines.length, 1);
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  device.note = old && device.note.length === 0 ? linesOfText(text) : editedLines(device.note, text, stamp);
}

/** As a person does it in the file; it is seen at the next export or import. */
function editMemory(device: Device, value: number, id: string, stamp: Stamp): void {
  observe(device, stamp);
  const { rolling } = device;
  const blocks = [...memoryBlocks([rolling.memory]).values()];
  const heading = `## 2026-06-0${1 + value}_1200 (local 06-01_1200) session one lines ${value}-${value + 1}`;
  let memory = `${rolling.memory}\n${heading}\n- user: said\n`;
  if (blocks.some((block) => block.startsWith(heading)))
    memory =
      value % 2 === 0
        ? rolling.memory.replace(heading, `${heading}\n- noted ${id}`)
        : rolling.memory.replace(blocks[0]!, '');
  device.rolling = { ...rolling, memory };
  observe(device, stamp);
}

function observe(device: Device, stamp: Stamp): void {
  const { memory, archives, records } = device.rolling;
  const blocks = memoryBlocks([memory, ...archives.values()]);
  device.rolling = { memory, archives, records: observedBlocks(records, blocks, stamp) };
}

function addVersion(device: Device, what: number, id: string): void {
  const versions = device.manifest.sessions[SESSION]!.compressions;
  const name = `part1_v${String(versions.length + 1).padStart(3, '0')}`;
  const version = {
    versionId: name,
    part: 1,
    file: `${name}_x`,
    markdownHash: `h${what}`,
    outputTokens: 1,
    jsonlHash: id,
    settings: { mode: 'uniform', what },
  };
  const composition = {
    compositionId: id,
    name: `all${what % 3}`,
    createdAt: '',
    markdownHash: `c${what % 6}`,
    components: [],
    outputFile: 'composed/x/composed.md',
    totalTokens: 1,
  };
  const known = device.manifest.parts[SESSION] ?? [];
  const names = Object.keys(device.manifest.compositions);
  device.manifest = applyChanges(device.manifest, [
    ...(known.length > 0 ? [] : [{ at: ['parts', SESSION], append: { part: 1, bytes: [0, 9] } }]),
    ...(versions.some((it) => it.markdownHash === version.markdownHash)
      ? []
      : [{ at: ['sessions', SESSION, 'compressions'], append: version as unknown as VersionRecord }]),
    ...(names.includes(composition.name) ||
    Object.values(device.manifest.compositions).some((it) => it.markdownHash === composition.markdownHash)
      ? []
      : [{ at: ['compositions', composition.name], put: composition as unknown as ComposedContextRecord }]),
  ]);
}

/** What an export of this device holds. */
function exported({ manifest, owner, folder }: Device): BundleProject {
  const {
    sessions,
    overlays,
    tombstones,
    links,
    factEdits = [],
    conceptEdits = [],
    compositions,
    settings,
  } = manifest;
  const lines = Object.values(sessions).map((record) => [
    record.sessionId,
    { record, parts: manifest.parts[record.sessionId] ?? [] },
  ]);
  return {
    project: {
      t: 'project' as const,
      id: sanitizePath(FOLDERS[folder]!),
      path: FOLDERS[folder]!,
      name: `shop of ${owner}`,
      createdAt: '',
      settings,
    },
    sessions: new Map(lines as [SessionId, SessionLine][]),
    overlays,
    tombstones,
    links,
    factEdits,
    conceptEdits,
    fieldEdits: fieldRecords({ ...manifest, sessions: Object.values(sessions) }),
    compositions: Object.values(compositions),
    files: [],
  };
}

export function merge(from: Device, to: Device): void {
  const author = from.owner === to.owner ? undefined : from.owner;
  const plan = mergePlan(to.manifest, exported(from), {
    project: sanitizePath(FOLDERS[to.folder]!),
    nameOf: (id) => id,
    author,
  });
  const versions = plan.sessions.get(SESSION)!.versions;
  to.manifest = applyChanges(to.manifest, [
    ...versions.parts.map((append) => ({ at: ['parts', SESSION], append, unique: 'part' })),
    ...versions.versions.map(({ record }) => ({
      at: ['sessions', SESSION, 'compressions'],
      append: record,
      unique: 'versionId',
    })),
    ...plan.compositions.map(({ record }) => ({ at: ['compositions'], init: { [record.name]: record } })),
    ...plan.changes,
  ]);
  if (author !== undefined) return;
  to.note = mergeLines(to.note, from.note);
  to.rolling = mergeRolling(to.rolling, { ...from.rolling, archives: from.rolling.archives.values() });
}

const EXCHANGES = [0, 1, 2, 3, 4, 5].map(
  (at) =>
    ({
      id: `ex_${at}`,
      ts: new Date(START + at).toISOString(),
      src: at,
      keywords: [`word${at % 3}`, `other${at}`],
      files: [`src/f${at % 3}.ts`],
      said: [],
      commands: [],
      failed: [],
      fixed: [],
      design: [],
      ask: `ask ${at}`,
      summary: `Summary ${at}`,
      details: '',
      outcome: 'done',
    }) as unknown as ExchangeRecord,
);

type SeenConcept = [id: string, name: string, exchanges: readonly unknown[]];
const MOST_KNOWN = 1000;
/** By the edits, in their order: archives that are alike need not group the same exchanges again. */
const knownConcepts = new Map<string, SeenConcept[]>();

function conceptsAfter(edits: ConceptEdit[] | undefined): SeenConcept[] {
  const key = JSON.stringify(edits ?? []);
  const known = knownConcepts.get(key);
  if (known) return known;
  if (knownConcepts.size === MOST_KNOWN) knownConcepts.clear();
  const made = conceptsOf([{ sessionId: SESSION, exchanges: EXCHANGES }], edits).map(
    ({ id, name, exchanges }): SeenConcept => [id, name, exchanges],
  );
  knownConcepts.set(key, made);
  return made;
}

/** All that a user sees of a device, made by the functions that show it. */
export function stateOf({ manifest, note, rolling }: Device) {
  const session = manifest.sessions[SESSION]!;
  const { engine: _, ...facts } = factsOf([], [], manifest.factEdits);
  return {
    facts,
    concepts: conceptsAfter(manifest.conceptEdits),
    keepits: effectiveMarkers(session.keepitMarkers, manifest.overlays),
    name: manifest.displayName,
    sessionName: session.name,
    settings: JSON.stringify(manifest.settings.levels ?? {}),
    note: textOfLines(note),
    memory: [...memoryBlocks([rolling.memory])].sort(),
    versions: session.compressions.map(versionContentId).sort(),
    compositions: Object.values(manifest.compositions).map(compositionContentId).sort(),
  };
}

/** Every record there is, with its author by name. */
export function recordsOf({ manifest, owner }: Device): string[] {
  const { overlays, factEdits = [], conceptEdits = [] } = manifest;
  return [...overlays, ...factEdits, ...conceptEdits]
    .map(({ via: _, author = owner, ...record }) => JSON.stringify([author, Object.entries(record).sort()]))
    .sort();
}

export type History = { devices: number[]; steps: Step[]; order: [number, number][] };

/** An archive: the folders of a project that it has heard of, by their place. */
export type Archive = Map<number, Device>;

/** All that a user sees of a project, whose folders are one. */
export function projectState(archive: Archive) {
  const folders = [...archive.values()].sort((a, b) => a.folder - b.folder);
  const merged = mergedMemory(folders.map(({ rolling }) => rolling.memory));
  return {
    folders: folders.map((one) => [one.folder, stateOf(one)] as const),
    memory: [...memoryBlocks([merged])].sort(),
  };
}

/** Plays a history; at its end one archive hears of everything, and then everybody does. */
export function played(history: History, ownerOf: (index: number) => string): Archive[] {
  const archives = history.devices.map((): Archive => new Map());
  const folderOf = (index: number, folder: number): Device => {
    const archive = archives[index]!;
    const known = archive.get(folder);
    if (known) return known;
    const made = newDevice(index, history.devices[index]!, { owner: ownerOf(index), folder });
    archive.set(folder, made);
    return made;
  };
  const bring = (from: number, to: number) => {
    for (const folder of [...archives[from]!.keys()]) merge(folderOf(from, folder), folderOf(to, folder));
  };
  const at = (index: number) => index % archives.length;
  for (const [tick, step] of history.steps.entries()) {
    if (step.kind === 'edit') edit(folderOf(at(step.device), step.folder), step, tick);
    else for (let time = 0; time <= Number(step.twice); time++) bring(at(step.from), at(step.to));
  }
  for (const [from, to] of history.order) bring(at(from), at(to));
  const others = archives.map((_, index) => index).slice(1);
  for (const from of others) bring(from, 0);
  for (const to of others) bring(0, to);
  return archives;
}
