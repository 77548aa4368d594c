import { cutAtWord } from '../text/sentences.ts';
import type { ItemSource, JournalItem } from './items.ts';
import { LABELS } from './page.ts';
import { codeSpan, plainLine } from './plain-line.ts';
import { differences, type ProjectNow, whereIs } from './project-now.ts';
import type { DocNote, Mention, Synthesis } from './synthesis.ts';

const LONGEST = 360;
const LONGEST_STEP = 150;
const MOST_SOURCES = 3;
const RECENT = 5;
const MOST_NAMED = 12;
const MOST_COMMITS = 5;
const MOST_DOCS = 12;

/** How a session is called in a master. */
export type ShortId = (session: string) => string;

/** One item as a line: the item, its earlier form, the current state of the project, and its sources. */
export function itemLine(item: JournalItem, now: ProjectNow, short: ShortId, label = false): string {
  const text = ended(cutAtWord(item.text, LONGEST));
  const [first] = item.before;
  const was = first ? ` Before: ${ended(cutAtWord(first.text, LONGEST_STEP))}` : '';
  return `- ${label ? `**${LABELS[item.kind]}:** ` : ''}${text}${was}${notesOf(item.text, now)} (${sourcesText(item.sources, short)})`;
}

/** How something came to be as it is: A, then B, now C. */
export function stepsLine(item: JournalItem, now: ProjectNow, short: ShortId): string {
  const step = (it: JournalItem) =>
    `${cutAtWord(it.text, LONGEST_STEP).replace(/[.。]$/, '')} (${sourcesText(it.sources.slice(-1), short)})`;
  const steps = item.before.map((it, index) => `${index === 0 ? 'First' : 'then'}: ${step(it)}`);
  return `- ${steps.join('; ')}; now: ${step(item)}${notesOf(item.text, now)}`;
}

function notesOf(text: string, now: ProjectNow): string {
  const notes = differences(text, now);
  return notes.length === 0 ? '' : ` [${notes.slice(0, 2).join('; ')}]`;
}

/** The newest, and how many more. */
export function sourcesText(sources: ItemSource[], short: ShortId): string {
  const bySession = new Map(sources.map((it) => [it.session, it]));
  const all = [...bySession.values()];
  const shown = all
    .slice(-MOST_SOURCES)
    .map(({ session, ts }) => `${ts === '' ? '' : `${ts.slice(0, 10)} `}${short(session)}`);
  return `${shown.join('; ')}${all.length > MOST_SOURCES ? `; ${all.length - MOST_SOURCES} more` : ''}`;
}

/** Where the project is now: the checkout, the latest conversations, what was worked on. */
export function statusLines(
  { pages, items, files, commands }: Synthesis,
  now: ProjectNow,
  docs: DocNote[],
  short: ShortId,
): string[] {
  const statuses = new Map<string, JournalItem>();
  for (const item of items)
    if (item.kind === 'status') for (const { session } of item.sources) statuses.set(session, item);
  const recent = pages.slice(0, RECENT).map((page) => {
    const status = statuses.get(page.session);
    const statusText = status
      ? ` ${ended(cutAtWord(status.text, LONGEST_STEP))}${notesOf(status.text, now)}`
      : '';
    return `- ${ended(cutAtWord(page.title || 'Untitled', 100))}${statusText} (${sourcesText([{ session: page.session, ts: page.last }], short)})`;
  });
  return [...recent, ...checkoutLines(now), ...namedLines(files, commands, now), ...docLines(docs)];
}

function checkoutLines({ here, branch, commits, files, cut }: ProjectNow): string[] {
  if (!here) return [];
  const languages = languagesOf(files);
  const latest = commits
    .slice(0, MOST_COMMITS)
    .map(
      ({ id, ts, subject }) =>
        `${cutAtWord(plainLine(subject, 200), 80)} (${ts.slice(0, 10)} ${id.slice(0, 7)})`,
    );
  return [
    ...(branch === undefined ? [] : [`- On branch ${codeSpan(branch, 100)}. (checkout)`]),
    ...(latest.length === 0 ? [] : [`- Latest commits: ${latest.join('; ')}. (git)`]),
    ...(languages === '' ? [] : [`- Code: ${languages}${cut ? ' and more' : ''}. (checkout)`]),
  ];
}

function namedLines(files: Mention[], commands: Mention[], now: ProjectNow): string[] {
  const existing = files.flatMap((it) => {
    const path = whereIs(it.name, now);
    return path === undefined ? [] : [{ ...it, name: path }];
  });
  const gone = files.length - existing.length;
  const list = (named: Mention[]) =>
    named
      .slice(0, MOST_NAMED)
      .map(({ name, conversations }) => `${codeSpan(name, 120)} ${conversations}`)
      .join(', ');
  const valid = commands.filter(({ name }) => differences(`\`${name}\``, now).length === 0);
  return [
    ...(existing.length === 0
      ? []
      : [
          `- Files most worked on, by conversations: ${list(existing)}.${gone === 0 ? '' : ` ${gone} others that were worked on are gone.`} (summaries)`,
        ]),
    ...(valid.length === 0 ? [] : [`- Commands that worked, by conversations: ${list(valid)}. (summaries)`]),
  ];
}

function docLines(docs: DocNote[]): string[] {
  const shown = docs
    .slice(0, MOST_DOCS)
    .map(
      ({ path, title, about }) =>
        `- \`${path}\`: ${ended(title)}${about === '' ? '' : ` ${ended(cutAtWord(about, LONGEST_STEP))}`} (docs)`,
    );
  return docs.length > MOST_DOCS ? [...shown, `- ${docs.length - MOST_DOCS} more documents. (docs)`] : shown;
}

const LANGUAGES = new Map(
  Object.entries({
    ts: 'TypeScript',
    tsx: 'TypeScript',
    js: 'JavaScript',
    mjs: 'JavaScript',
    py: 'Python',
    go: 'Go',
    rs: 'Rust',
    java: 'Java',
    kt: 'Kotlin',
    rb: 'Ruby',
    php: 'PHP',
    cs: 'C#',
    cpp: 'C++',
    c: 'C',
    swift: 'Swift',
    vue: 'Vue',
    sh: 'Shell',
    sql: 'SQL',
    md: 'Markdown',
    tex: 'LaTeX',
  }),
);

/** Code patterns: languages, and how tests are run. */
function languagesOf(files: Set<string>): string {
  const counts = new Map<string, number>();
  const tests = new Map<string, number>();
  for (const file of files) {
    const language = LANGUAGES.get(/\.(\w+)$/.exec(file)?.[1] ?? '');
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
    const test = /(?:^|\/)(?:test_\w+\.py|[^/]+?([._-](?:test|spec))\.\w+)$/.exec(file);
    if (test)
      tests.set(
        test[1] ? `*${test[1]}.*` : 'test_*.py',
        (tests.get(test[1] ? `*${test[1]}.*` : 'test_*.py') ?? 0) + 1,
      );
  }
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 4);
  const [pattern] = [...tests].sort((a, b) => b[1] - a[1]);
  const listed = most.map(([name, count]) => `${count} ${name} ${count === 1 ? 'file' : 'files'}`).join(', ');
  return listed === '' || !pattern ? listed : `${listed}; ${pattern[1]} tests named \`${pattern[0]}\``;
}

function ended(full: string): string {
  // What a list was cut off behind.
  const text = full.replace(/[\s:;,]+$/, '');
  return text === '' || /[.!?…。！？]["”')`]*$/.test(text) ? text : `${text}.`;
}
