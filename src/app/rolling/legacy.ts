import { createHash } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { lastDated, splitOversized, toUtcHeadings } from '../../core/rolling/legacy.ts';
import { type CountTokens, OVERSIZED_TOKENS } from '../../core/rolling/limits.ts';
import { ARCHIVE_NAME, archivedAt, archiveName, summaryName } from '../../core/rolling/memory-file.ts';
import { isNoteName, isUnwritten, NOTES } from '../../core/rolling/notes.ts';
import { redact } from '../../core/text/redact.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { ifPossible } from '../or-fault.ts';
import type { World } from '../world.ts';
import { archiveNames, RollingMemory } from './rolling-memory.ts';
import { writeSummaries } from './summaries.ts';
import { recordRotation } from './update.ts';

export type Migrated = {
  from: string;
  /** Files that were written, relative to `memory/`. */
  written: string[];
  /** Headings whose local time was turned to UTC. */
  headings: number;
  /** Where what was there before is kept, in the project's folder of the archive. */
  aside: string | null;
  /** Refined sessions that are there and were not imported: `keepsake import` does. */
  sessions: number;
  notes: string[];
};

type Old = { name: string; bytes: Buffer };

/**
 * Brings older memory files into shape: too long ones are split, headings with a local time get UTC. With a folder, its
 * files are taken over first; they stay where they are. What is written over is kept aside.
 */
export async function migrateLegacy(world: World, project: ProjectId, folder?: string): Promise<Migrated> {
  const count = await loadTokenCounter();
  const from = folder ?? (await legacyFolder(world, project)) ?? world.archive.places.where(project).folder;
  const own = from === world.archive.places.where(project).folder;
  const old = await readOld(world, from);
  const done: Migrated = { from, written: [], headings: 0, aside: null, sessions: 0, notes: [] };
  done.sessions = own
    ? 0
    : (await world.machine.list(`${from}/sessions`)).filter((it) => it.endsWith('.l1.jsonl')).length;
  if (old.length === 0) {
    if (folder === undefined) return done;
    throw new Fault('not-found', `No memory file in ${from}.`, {
      hint: 'Give the folder that contains memory.md, as in: keepsake memory migrate-legacy ~/shop/.claude/memory',
    });
  }
  const hash = hashOf(old);
  await world.archive.exclusive(async () => {
    const rolling = await RollingMemory.open(world, project, count);
    if (!own && rolling.state.migrated.includes(hash)) {
      done.notes.push(`${from} was already imported.`);
      return;
    }
    const aside = `aside/${stampOf(world)}`;
    const task: Task = { world, project, own, done };
    const texts = changedTexts(old, task, count);
    if (texts.length === 0) return;
    const kept = own ? old.filter(({ name }) => texts.some((it) => it.name === name)) : old;
    for (const { name, bytes } of kept) await world.archive.files.write(project, `${aside}/${name}`, bytes);
    done.aside = aside;
    for (const text of texts) await place(task, rolling, text);
    if (!own) await rolling.writeState({ ...rolling.state, migrated: [...rolling.state.migrated, hash] });
    // What was split has archives that the index does not know yet.
    const again = await RollingMemory.open(world, project, count);
    done.written.push(...again.rotated.filter((name) => !done.written.includes(name)));
  });
  await writeSummaries(world, project);
  const archives = done.written.filter((name) => ARCHIVE_NAME.test(name));
  await recordRotation(world, project, archives);
  return done;
}

type Text = { name: string; parts: string[] };

/** `own`: the files are this project's memory already. */
type Task = { world: World; project: ProjectId; own: boolean; done: Migrated };

/** What must be written: everything of another's folder, and of our own only what is not in shape. */
function changedTexts(old: Old[], { world, own, done }: Task, count: CountTokens): Text[] {
  return old.flatMap(({ name, bytes }) => {
    const text = bytes.toString();
    if (isNoteName(name.replace(/\.md$/, ''))) return own ? [] : [{ name, parts: [text] }];
    const utc = toUtcHeadings(text, world.clock.local);
    done.headings += utc.changed;
    // What comes from elsewhere passes the same boundary as all that is derived.
    const clean = own ? utc.text : redact(utc.text).text;
    const parts = count(clean) > OVERSIZED_TOKENS ? splitOversized(clean, count) : [clean];
    return own && parts.length === 1 && utc.changed === 0 ? [] : [{ name, parts }];
  });
}

async function place(
  { world, project, own, done }: Task,
  rolling: RollingMemory,
  { name, parts }: Text,
): Promise<void> {
  const { files } = world.archive;
  const note = name.replace(/\.md$/, '');
  if (isNoteName(note)) {
    const there = (await files.read(project, `memory/${name}`))?.toString() ?? '';
    if (!isUnwritten(note, there)) {
      done.notes.push(`${name} already exists here; the other file was saved under another name.`);
      return;
    }
    await files.write(project, `memory/${name}`, parts[0]!);
    done.written.push(name);
    return;
  }
  const archived = ARCHIVE_NAME.test(name);
  // The newest part of memory.md becomes memory.md, if there is none yet or it may be replaced.
  const current = !archived && (own || rolling.memory === undefined) ? parts.pop() : undefined;
  const taken = new Set(await archiveNames(world, project));
  for (const [at, part] of parts.entries()) {
    const when = lastDated(part) ?? archivedAt(name) ?? world.clock.now();
    const keepsName = archived && at === parts.length - 1 && (own || !taken.has(name));
    const target = keepsName ? name : archiveName(when, taken);
    taken.add(target);
    if (own && keepsName) await files.remove(project, `memory/${summaryName(name)}`);
    await files.write(project, `memory/${target}`, part);
    done.written.push(target);
  }
  if (current === undefined) return;
  await rolling.writeMemory(current);
  done.written.push('memory.md');
}

/** A project's own `.claude/memory/` that another program made. */
async function legacyFolder(world: World, project: ProjectId): Promise<string | undefined> {
  const head = await world.archive.head(project);
  if (!head || !/^([/\\]|[A-Za-z]:)/.test(head.originalPath)) return undefined;
  const found = await ifPossible(world.archive.places.inspect(project, head.originalPath), world.report);
  if (!found || found.ours || found.trouble !== undefined) return undefined;
  return found.files.some((name) => isMemoryFile(name)) ? found.folder : undefined;
}

async function readOld(world: World, folder: string): Promise<Old[]> {
  const names = (await world.machine.list(folder)).filter(isMemoryFile).sort();
  const old: Old[] = [];
  for (const name of names) {
    if (await world.machine.isLink(`${folder}/${name}`)) continue;
    const bytes = await world.machine.readBytes(`${folder}/${name}`);
    if (bytes !== undefined && bytes.toString().trim() !== '') old.push({ name, bytes });
  }
  return old;
}

function isMemoryFile(name: string): boolean {
  return name === 'memory.md' || ARCHIVE_NAME.test(name) || NOTES.some((note) => name === `${note}.md`);
}

function hashOf(old: Old[]): string {
  const hash = createHash('sha256');
  for (const { name, bytes } of old) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex');
}

function stampOf(world: World): string {
  return world.clock.now().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
}
