import type { Command } from 'commander';
import { type MemoryFile, setNote } from '../../../app/rolling/notes.ts';
import {
  getProjectNote,
  listProjectMemory,
  type ProjectMemoryFile,
} from '../../../app/rolling/project-memory.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { Cli } from '../cli.ts';
import { examples } from '../cli.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { bytes, count } from '../terminal/quantities.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { memoryAt, memoryWord, type ProjectOption } from './memory-words.ts';

const LONGEST_INPUT = 4_000_000;

/** `memory set`, `get` and `list`. */
export function defineMemoryFiles(command: Command, cli: Cli): void {
  const { console } = cli;
  const set = memoryWord(
    command,
    'set',
    'Write a note: project, architecture, conventions, workflow or lessons.',
  )
    .argument('<name>', 'project, architecture, conventions, workflow or lessons')
    .argument('[text...]', 'the text (default: read stdin)')
    .option('--append', 'add it to the end');
  examples(
    set,
    'memory set project "A shop for tea; prices are in cents."',
    'memory set conventions --append "Tests live beside the source."',
    'memory set architecture < architecture.md',
  );
  set.action(async (name: string, words: string[], options: ProjectOption & { append?: true }) => {
    const { world, project } = await memoryAt(cli, options);
    const text = words.length > 0 ? words.join(' ') : await readInput(cli);
    const done = await setNote(world, project, { name, text, append: options.append === true });
    if (done.secrets.length > 0)
      console.warn(`It seems to contain a secret (${done.secrets.join(', ')}); notes are not redacted.`);
    if (console.json) return console.printJson(done);
    console.print(`${done.name}: ${bytes(done.bytes)}.`);
  });

  const get = memoryWord(command, 'get', 'Print a note, memory.md or an archive.').argument(
    '<name>',
    'project, architecture, conventions, workflow, lessons, memory, or a name from `memory list`',
  );
  examples(get, 'memory get project', 'memory get memory', 'memory get memory_20260113_120000.md');
  get.action(async (name: string, options: ProjectOption) => {
    const { world, project } = await memoryAt(cli, options);
    const note = await getProjectNote(world, project, name);
    if (console.json) return console.printJson(note);
    if (!note.written) console.note(`This note is empty. Write it: keepsake memory set ${name} "..."`);
    console.print(cleanText(note.text).trimEnd());
  });

  const list = memoryWord(command, 'list', 'List the memory files of a project.');
  examples(list, 'memory list', 'memory list --project shop --json');
  list.action((options: ProjectOption) => printMemoryList(cli, options));
}

export async function printMemoryList(cli: Cli, options: ProjectOption): Promise<void> {
  const { console } = cli;
  const { world, project } = await memoryAt(cli, options);
  const items = await listProjectMemory(world, project);
  if (console.json) return console.printJson({ items, next: null });
  const place = world.archive.places.where(project);
  console.note(`${place.kind === 'project' ? 'In the project' : 'In the archive'}: ${place.folder}`);
  if (place.trouble !== undefined) console.warn(`${place.trouble} Run \`keepsake doctor\` for instructions.`);
  if (items.length === 0)
    return console.print('No memory yet. Build it from the sessions: `keepsake memory check --now`.');
  const several = new Set(items.map((it) => it.project)).size > 1;
  // On a terminal folders are headings, which no table has to leave out.
  const isGrouped = several && console.width !== undefined;
  const columns: Column<ProjectMemoryFile>[] = [
    { title: 'file', value: (it) => it.name, paint: console.style.accent, least: 20 },
    { title: 'what', value: whatOf },
    ...(several && !isGrouped
      ? [{ title: 'folder', value: (it: ProjectMemoryFile) => cleanLine(it.folder) }]
      : []),
    { title: 'tokens', value: (it) => (it.tokens === undefined ? '' : count(it.tokens)), align: 'right' },
    { title: 'size', value: (it) => bytes(it.bytes), align: 'right', spare: 1 },
    { title: 'by', value: (it) => (it.by === 'me' ? 'you' : cleanLine(it.by)), spare: 3 },
    { title: 'via', value: (it) => it.via, spare: 4 },
    { title: 'changed', value: (it) => world.clock.local(it.modified ?? ''), spare: 2 },
  ];
  if (isGrouped) printByFolder(console, items, columns);
  else console.table(items, columns);
  console.noteZone();
}

function printByFolder(
  console: Cli['console'],
  items: ProjectMemoryFile[],
  columns: Column<ProjectMemoryFile>[],
): void {
  const { width, style } = console;
  const { heading, body } = tableLines(items, columns, { width, heading: style.dim, indent: '  ' });
  let folder: string | undefined;
  for (const [at, item] of items.entries()) {
    if (item.folder !== folder)
      console.print(...(at === 0 ? [] : ['']), style.strong(cleanLine(item.folder)), heading);
    console.print(...(body[at] ?? []));
    folder = item.folder;
  }
}

function whatOf(file: MemoryFile): string {
  if (file.unwritten) return 'note (not written yet)';
  return file.putAway ? `${file.kind} (in archive/)` : file.kind;
}

async function readInput(cli: Cli): Promise<string> {
  if (process.stdin.isTTY) {
    throw new Fault('usage', 'keepsake memory set: missing text.', {
      hint: 'Example: keepsake memory set project "A shop for tea."',
    });
  }
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const piece of process.stdin) {
    text += piece;
    if (text.length > LONGEST_INPUT) throw new Fault('bad-input', 'That is too long for a note.');
  }
  if (text.trim() !== '' || cli.console.attended) return text;
  throw new Fault('usage', 'stdin is empty.', {
    hint: 'Example: keepsake memory set project < project.md',
  });
}
