import type { ProjectId } from '../../core/model/ids.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import { isFields } from '../../core/model/shape.ts';
import { entryStarts, readHeading } from '../../core/rolling/entry.ts';
import { ARCHIVE_NAME, addedText, archivedAt } from '../../core/rolling/memory-file.ts';
import { isNoteName, isUnwritten } from '../../core/rolling/notes.ts';
import { noteDamage } from '../read-stored.ts';
import type { World } from '../world.ts';

export type MemoryTextKind = 'memory' | 'archive' | 'summary' | 'note' | 'facts' | 'concepts';

/** A piece of a project's memory that can be found and quoted, with its place. */
export type MemoryText = {
  kind: MemoryTextKind;
  /** Relative to the project's folder, as `archive.files` takes it. */
  file: string;
  /** From where on in that file; in characters, for what is text. */
  at: number;
  /** What it is called: the heading of an entry, the name of a theme or fact. */
  title: string;
  text: string;
  /** UTC; empty if it has none. */
  ts: string;
  /** The session that an entry is from, as short as it is still unique, and its lines of L1. */
  source?: { session: string; lines: [number, number] };
};

/** All that a project's memory contains besides its sessions: memory.md, archives, summaries, notes, facts, concepts. */
export async function memoryTexts(world: World, project: ProjectId): Promise<MemoryText[]> {
  const texts: MemoryText[] = [];
  for (const name of await world.archive.files.list(project, 'memory')) {
    const bytes = holdsTexts(name) && (await world.archive.files.read(project, `memory/${name}`));
    if (bytes) texts.push(...(await textsIn(world, project, name, bytes)));
  }
  return texts;
}

/** Names of the files below `memory/` that hold memory. */
export async function memoryNames(world: World, project: ProjectId): Promise<string[]> {
  const names = await world.archive.files.list(project, 'memory');
  return names.filter((name) => holdsTexts(name));
}

/** Whether a file below `memory/` holds memory. */
export function holdsTexts(name: string): boolean {
  return readerOf(name) !== undefined;
}

/** The texts of one file below `memory/`. One that is damaged gives none, and is noted. */
export async function textsIn(
  world: World,
  project: ProjectId,
  name: string,
  bytes: Buffer,
): Promise<MemoryText[]> {
  const file = `memory/${name}`;
  const texts = readerOf(name)?.(file, bytes.toString('utf8'));
  if (texts !== 'damaged') return texts ?? [];
  await noteDamage(world, { project, name: file, bytes, why: 'it is not JSON' }, MEMORY_JSON);
  return [];
}

/** The texts of a file that is read as `name` is. One that can't be read gives none. */
export function readTexts(name: string, file: string, bytes: Buffer): MemoryText[] {
  const texts = readerOf(name)?.(file, bytes.toString('utf8'));
  return texts === undefined || texts === 'damaged' ? [] : texts;
}

/** Made by Keepsake, and by people's hands at times. */
const MEMORY_JSON = { damaged: 'Keepsake does not find its content until the file is repaired.' };

type Reader = (file: string, text: string) => MemoryText[] | 'damaged';

function readerOf(name: string): Reader | undefined {
  const plain = name.replace(/^archive\//, '');
  if (plain === 'memory.md') return (file, text) => entriesOf('memory', file, text);
  if (ARCHIVE_NAME.test(plain)) return (file, text) => entriesOf('archive', file, text);
  if (/^memory_.*\.summary\.json$/.test(plain)) return summaryTexts;
  if (name === 'facts.json') return (file, text) => jsonTexts('facts', file, text);
  if (name === 'concepts.json') return (file, text) => jsonTexts('concepts', file, text);
  return isNoteName(name.replace(/\.md$/, '')) ? noteTexts : undefined;
}

/** What was carried over belongs to the file it is from. */
function entriesOf(kind: 'memory' | 'archive', file: string, whole: string): MemoryText[] {
  const text = addedText(whole);
  const shift = whole.length - text.length;
  const starts = entryStarts(text);
  const first = starts[0] ?? text.length;
  const cuts = text.slice(0, first).trim() === '' ? starts : [0, ...starts];
  return cuts.map((start, index) => {
    const entry = text.slice(start, cuts[index + 1]);
    const heading = starts.includes(start) ? entry.slice(0, entry.indexOf('\n')).trim() : '';
    const source = readHeading(heading);
    const [, day, hour, minute] = /^## (\d{4}-\d\d-\d\d)[_T ](\d\d):?(\d\d)/.exec(heading) ?? [];
    const ts = day === undefined ? '' : `${day}T${hour}:${minute}:00Z`;
    const title = heading.replace(/^## /, '') || 'notes';
    const body = heading === '' ? entry : entry.slice(entry.indexOf('\n') + 1);
    return { kind, file, at: start + shift, title, text: body.trim(), ts, ...(source ? { source } : {}) };
  });
}

function noteTexts(file: string, text: string): MemoryText[] {
  const name = file.replace(/^memory\/|\.md$/g, '');
  if (isNoteName(name) && isUnwritten(name, text)) return [];
  const starts = [0, ...[...text.matchAll(/^#{1,3} /gm)].map((match) => match.index).filter((at) => at > 0)];
  return starts
    .map((at, index): MemoryText => {
      const section = text.slice(at, starts[index + 1]);
      const heading = /^#{1,3} (.*)/.exec(section)?.[1]?.trim();
      return { kind: 'note', file, at, title: heading ?? name, text: section.trim(), ts: '' };
    })
    .filter((it) => it.text !== '' && it.text !== `# ${it.title}`);
}

function summaryTexts(file: string, text: string): MemoryText[] | 'damaged' {
  const summary = parseOutside(text);
  if (!isFields(summary)) return 'damaged';
  const ts = archivedAt(`${file.slice(file.lastIndexOf('/') + 1).replace(/\.summary\.json$/, '')}.md`) ?? '';
  const piece = (title: string, words: unknown[]): MemoryText => {
    const joined = words.filter((word) => typeof word === 'string' && word !== '').join(' ');
    return { kind: 'summary', file, at: 0, title, text: joined, ts };
  };
  const list = (value: unknown) => (Array.isArray(value) ? value.filter(isFields) : []);
  return [
    piece('summary', [summary.overallSummary]),
    ...list(summary.themes).map((theme) => piece(String(theme.name), [theme.name, theme.summary])),
    ...list(summary.keyDecisions).map((it) => piece('decision', [it.decision, it.reason])),
    ...list(summary.issues).map((it) => piece('issue', [it.issue, it.status])),
  ].filter((it) => it.text !== '');
}

/** Every object of the file that has words of its own: a fact, a solution, a concept. */
function jsonTexts(kind: 'facts' | 'concepts', file: string, text: string): MemoryText[] | 'damaged' {
  const found: MemoryText[] = [];
  const content = parseOutside(text);
  if (!isFields(content)) return 'damaged';
  const walk = (value: unknown, depth: number): void => {
    if (depth > 6 || typeof value !== 'object' || value === null) return;
    if (isFields(value) && typeof value.id === 'string') {
      const words = WORDS.map((key) => value[key]).filter((it) => typeof it === 'string' && it !== '');
      const ts = String(value.updated ?? value.last_validated ?? value.ts ?? '');
      const title = typeof value.name === 'string' ? value.name : value.id;
      if (words.length > 0) found.push({ kind, file, at: 0, title, text: words.join(' '), ts });
      return;
    }
    for (const below of Object.values(value)) walk(below, depth + 1);
  };
  walk(content, 0);
  return found;
}

const WORDS = ['name', 'summary', 'content', 'problem', 'solution', 'feature', 'description'];
