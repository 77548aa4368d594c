import type { Ingredient } from '../../core/journal/master-mark.ts';
import type { JournalPage } from '../../core/journal/page.ts';
import { plainLine } from '../../core/journal/plain-line.ts';
import { COMMAND_FILES, NOWHERE, type ProjectNow } from '../../core/journal/project-now.ts';
import { readPage } from '../../core/journal/read-page.ts';
import type { DocNote } from '../../core/journal/synthesis.ts';
import type { Theme } from '../../core/journal/themes.ts';
import { sentencesOf } from '../../core/text/sentences.ts';
import { readLayers } from '../layers/update.ts';
import type { World } from '../world.ts';
import { hashOfPage } from './page-hash.ts';
import { type Journal, masterName, pageName, scopesOf } from './place.ts';
import { isText, LARGEST_FILE } from './save.ts';

/** Folders and files of a project that describe it. */
const DOCS = ['_docs', 'docs'];
const README = /^readme\.(?:md|markdown|txt|rst|adoc)$/i;
const MOST_DOCS = 500;
const MOST_TREE = 50_000;
const MOST_COMMITS = 300;
const DOC_BYTES = 65_536;
const CONFIG_BYTES = 1 << 20;
const AT_ONCE = 32;

export type PageFile = Ingredient & { page: JournalPage; text: string };

/** Every summary of a journal or of one of its scopes. What is no text, or too much of it, is reported and left out. */
export async function readPages(
  world: World,
  { root, files }: Journal,
  scope: string | undefined,
): Promise<{ pages: PageFile[]; notes: string[] }> {
  const folder = pageName('x', scope).replace(/x\.md$/, '');
  const wanted = files.filter(
    ({ name }) => name.startsWith(folder) && /^[^/]+\.md$/.test(name.slice(folder.length)),
  );
  const pages: PageFile[] = [];
  const notes: string[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const part = wanted.slice(from, from + AT_ONCE);
    const read = await Promise.all(part.map(({ name }) => world.projectFiles.read(root, name, LARGEST_FILE)));
    part.forEach(({ name, bytes }, at) => {
      const found = read[at];
      if (found === undefined) return;
      if (!isText(found)) {
        notes.push(`${name} is not text and was skipped.`);
        return;
      }
      if (bytes > LARGEST_FILE) notes.push(`${name} is very large; only its beginning was read.`);
      const text = found.toString('utf8');
      const session = name.slice(folder.length).replace(/\.md$/, '');
      pages.push({ name, hash: hashOfPage(found), page: readPage(text, session), text });
    });
  }
  return { pages, notes };
}

/** What the user's documents are about, and what other scopes there are. */
export async function readDocs(
  world: World,
  journal: Journal,
  scope: string | undefined,
): Promise<DocNote[]> {
  const { root } = journal;
  const docs: DocNote[] = [];
  const names = (await world.projectFiles.tree(root, MOST_TREE)).files.filter((name) => README.test(name));
  for (const folder of DOCS)
    names.push(...(await world.projectFiles.list(root, folder, MOST_DOCS)).map(({ name }) => name));
  for (const name of names) {
    if (!/\.(?:md|markdown|txt|rst|adoc)$/i.test(name)) continue;
    const bytes = await world.projectFiles.read(root, name, DOC_BYTES);
    if (bytes && isText(bytes)) docs.push(docOf(name, bytes.toString('utf8')));
  }
  for (const other of scope === undefined ? scopesOf(journal) : [])
    docs.push({ path: masterName(other), title: `The memory of ${other}, kept apart`, about: '' });
  return docs;
}

function docOf(path: string, text: string): DocNote {
  const title = /^#\s+(.+)$/m.exec(text)?.[1] ?? path.split('/').at(-1)!;
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^#.*$/gm, '');
  return {
    path: plainLine(path.replaceAll('`', ''), 200),
    title: plainLine(title, 100),
    about: plainLine(sentencesOf(body)[0] ?? '', 200),
  };
}

/** The checkout as it is: files, commands that its own files define, branch and latest commits. */
export async function readProject(world: World, root: string): Promise<ProjectNow> {
  if ((await world.machine.accessTo(root)) === 'missing') return NOWHERE;
  const [{ files, cut }, branch, commits] = await Promise.all([
    world.projectFiles.tree(root, MOST_TREE),
    world.git.branch(root),
    world.git.commits(root, MOST_COMMITS),
  ]);
  const own = files.filter((name) => !name.startsWith('_docs/'));
  const commands = new Set<string>();
  const runners = new Set<string>();
  for (const [name, { runner, read }] of COMMAND_FILES) {
    const bytes = await world.projectFiles.read(root, name, CONFIG_BYTES);
    if (!bytes) continue;
    const defined = read(bytes.toString('utf8'));
    if (defined.length > 0) runners.add(runner);
    for (const command of defined) commands.add(command);
  }
  const tasks = await world.projectFiles.list(root, '.mise/tasks', MOST_DOCS);
  for (const name of [...files, ...tasks.map((it) => it.name)]) {
    const task = /^(?:mise-tasks|\.mise\/tasks)\/(.+)$/.exec(name)?.[1];
    if (task !== undefined) commands.add(`mise run ${task.replaceAll('/', ':')}`);
  }
  return {
    // A folder without anything of its own has nothing to hold against what was said.
    here: own.length > 0,
    files: new Set(files),
    cut,
    commands,
    runners,
    ...(branch === undefined ? {} : { branch }),
    commits,
  };
}

/** Themes are the project's concepts; a project that the archive does not know has none. */
export async function readThemes(world: World, journal: Journal): Promise<Theme[]> {
  const layers = journal.known ? await readLayers(world, journal.project) : undefined;
  return (layers?.concepts ?? []).map(({ name, keywords, exchanges, sessions }) => ({
    name: plainLine(name, 60),
    keywords,
    exchanges,
    sessions,
  }));
}
