// Sessions grouped by folder and by repository; the cost of one more edit next to a plain write; merges that end in the same state.
import { appendFileSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { findSession } from '../src/app/find/session.ts';
import { allRepositories } from '../src/app/repository/repositories.ts';
import { renameSession } from '../src/app/session/rename.ts';
import { sync } from '../src/app/sync/sync.ts';
import type { FieldEdit } from '../src/core/model/field-edit.ts';
import { type ProjectId, toProjectId } from '../src/core/model/ids.ts';
import { type History, histories, played, projectState } from '../test/made/converging.ts';
import { archiveSaying } from '../test/made/hostile-archive.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, median, table } from './bench-table.ts';

const ROUNDS = 41;
const KNOWN_EDITS = [0, 1000, 10_000];
const HISTORIES = 2000;

export async function run(folders: string[]): Promise<void> {
  for (const folder of folders) await countProjects(folder);
  const rows: string[][] = [];
  for (const known of KNOWN_EDITS) rows.push(await oneMoreEdit(known));
  console.log(`\none more edit, a session's name, median of ${ROUNDS - 1}\n`);
  const head = [
    'edits before',
    'append + fsync: ms',
    'without a record: ms',
    'edit: ms',
    'x',
    'without: bytes',
    'edit: bytes',
    'x',
  ];
  table(head, rows);
  mergeHistories();
}

async function countProjects(folder: string): Promise<void> {
  const world = makeWorld();
  try {
    await sync(world, { from: [folder] });
    const repositories = await allRepositories(world);
    const before = repositories.reduce((sum, it) => sum + it.folders.length, 0);
    let sessions = 0;
    for (const id of await world.archive.projects())
      sessions += Object.keys((await world.archive.open(id))!.manifest.sessions).length;
    const several = repositories.filter((it) => it.folders.length > 1).length;
    console.log(
      `${basename(folder)}: ${sessions} sessions, ${before} projects by folder, ${repositories.length} by repository, ${several} with several folders`,
    );
  } finally {
    await world.remove();
  }
}

/** Compares with the same command without edit records, and with a plain write and fsync. */
async function oneMoreEdit(known: number): Promise<string[]> {
  const world = await archiveSaying('one', 'Hello.');
  const project = toProjectId('-srv-shop');
  const file = join(world.places.home, 'floor.jsonl');
  const took = { floor: [] as number[], plain: [] as number[], edit: [] as number[] };
  const wrote = { plain: [] as number[], edit: [] as number[] };
  try {
    await world.archive.change(project, [{ at: ['fieldEdits'], put: manyEdits(known) }]);
    for (let round = 0; round < ROUNDS; round++) {
      const name = `Name ${round}`;
      took.floor.push(await timed(() => appendSafely(file, JSON.stringify({ name }))));
      const event = { at: world.clock.now(), action: 'rename' as const, note: 'Renamed.' };
      const merge = { at: ['sessions', 'one'], merge: { name } };
      const before = bytesOf(world.archive.root, project);
      const withoutRecord = async () => {
        await findSession(world, 'one');
        await world.archive.change(project, [merge], [event]);
        await findSession(world, 'one', project);
      };
      took.plain.push(await timed(withoutRecord));
      const between = bytesOf(world.archive.root, project);
      took.edit.push(await timed(() => renameSession(world, { session: 'one', name })));
      wrote.plain.push(between - before);
      wrote.edit.push(bytesOf(world.archive.root, project) - between);
    }
    for (const list of [...Object.values(took), ...Object.values(wrote)]) list.shift();
    const [plain, edit] = [median(took.plain), median(took.edit)];
    const bytes = { plain: median(wrote.plain), edit: median(wrote.edit) };
    return [
      String(known),
      median(took.floor).toFixed(2),
      plain.toFixed(2),
      edit.toFixed(2),
      (edit / plain).toFixed(2),
      String(bytes.plain),
      String(bytes.edit),
      (bytes.edit / bytes.plain).toFixed(2),
    ];
  } finally {
    await world.remove();
  }
}

function manyEdits(count: number): FieldEdit[] {
  return Array.from({ length: count }, (_, at) => ({
    editId: `v_${at}`,
    at: '2026-01-01T00:00:00.000Z',
    hlc: at,
    device: 'bench',
    field: 'setting' as const,
    key: 'levels.light',
    value: 2 + (at % 5),
  }));
}

function mergeHistories(): void {
  let [alike, merges] = [0, 0];
  const start = performance.now();
  for (const history of fc.sample(histories as fc.Arbitrary<History>, HISTORIES)) {
    const [first, ...others] = played(history, () => 'me').map((it) => JSON.stringify(projectState(it)));
    if (others.every((it) => it === first)) alike++;
    merges +=
      history.steps.filter(({ kind }) => kind === 'merge').length + history.order.length + 2 * others.length;
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `\n${HISTORIES} random histories of 3 to 5 archives, ${merges} merges: ${alike} ended in the same state everywhere (${seconds.toFixed(0)} s)`,
  );
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function appendSafely(file: string, line: string): void {
  appendFileSync(file, `${line}\n`);
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
}

function bytesOf(root: string, project: ProjectId): number {
  const folder = join(root, 'projects', project);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, it) => sum + (it.isFile() ? it.size : 0), 0);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
