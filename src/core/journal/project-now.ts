import { parseOutside } from '../model/parse-stored.ts';
import { isFields } from '../model/shape.ts';
/** A project as it is now, as far as its files show. */
export type ProjectNow = {
  /** False if there is no folder to check: then nothing is compared. */
  here: boolean;
  /** Paths relative to the project, `/` between parts. */
  files: Set<string>;
  /** Not all files were looked at: what is missing says nothing. */
  cut: boolean;
  /** Commands that the project's own files define, such as `npm run build`. */
  commands: Set<string>;
  /** By what runs them: `npm`, `make`, `mise`. */
  runners: Set<string>;
  branch?: string;
  /** Newest first. */
  commits: { id: string; ts: string; subject: string }[];
};

export const NOWHERE: ProjectNow = {
  here: false,
  files: new Set(),
  cut: false,
  commands: new Set(),
  runners: new Set(),
  commits: [],
};

type Reader = { runner: string; read: (text: string) => string[] };

/** What a project's files are that define commands, and how each is read. Tolerant: a broken one defines nothing. */
export const COMMAND_FILES = new Map<string, Reader>([
  ['package.json', { runner: 'npm', read: (text) => jsonKeys(text, 'scripts').flatMap(npmCommands) }],
  [
    'composer.json',
    { runner: 'composer', read: (text) => jsonKeys(text, 'scripts').map((it) => `composer ${it}`) },
  ],
  ['deno.json', { runner: 'deno', read: (text) => jsonKeys(text, 'tasks').map((it) => `deno task ${it}`) }],
  ['Makefile', { runner: 'make', read: (text) => targets(text).map((it) => `make ${it}`) }],
  ['makefile', { runner: 'make', read: (text) => targets(text).map((it) => `make ${it}`) }],
  ['justfile', { runner: 'just', read: (text) => recipes(text).map((it) => `just ${it}`) }],
  ['mise.toml', { runner: 'mise', read: (text) => tomlTasks(text).map((it) => `mise run ${it}`) }],
  ['.mise.toml', { runner: 'mise', read: (text) => tomlTasks(text).map((it) => `mise run ${it}`) }],
  ['Taskfile.yml', { runner: 'task', read: (text) => yamlTasks(text).map((it) => `task ${it}`) }],
  ['pyproject.toml', { runner: 'poe', read: pythonCommands }],
]);

function npmCommands(name: string): string[] {
  const short = ['test', 'start', 'stop', 'restart'].includes(name) ? [`npm ${name}`] : [];
  return [...short, `npm run ${name}`, `yarn ${name}`, `pnpm ${name}`, `pnpm run ${name}`, `bun run ${name}`];
}

function jsonKeys(text: string, key: string): string[] {
  const file = parseOutside(text);
  const value = isFields(file) ? file[key] : undefined;
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function targets(text: string): string[] {
  return [...text.matchAll(/^@?([A-Za-z0-9][\w.-]*)(?:\s+[^:=\n]*)?:(?!=)/gm)].map(([, name]) => name!);
}

function recipes(text: string): string[] {
  return [...text.matchAll(/^@?([A-Za-z0-9][\w-]*)(?:\s[^:\n]*)?:(?!=)/gm)].map(([, name]) => name!);
}

function tomlTasks(text: string): string[] {
  const tables = [...text.matchAll(/^\s*\[tasks\.(?:"([^"\n]+)"|([\w:.-]+))\]/gm)].map(
    ([, quoted, bare]) => quoted ?? bare!,
  );
  const inline = [...inTable(text, 'tasks')];
  return [...tables, ...inline];
}

function pythonCommands(text: string): string[] {
  return [
    ...[...inTable(text, 'project.scripts'), ...inTable(text, 'tool.poetry.scripts')],
    ...inTable(text, 'tool.poe.tasks').map((it) => `poe ${it}`),
  ];
}

function inTable(text: string, table: string): string[] {
  const from = text.split('\n').findIndex((line) => line.trim() === `[${table}]`);
  if (from === -1) return [];
  const names: string[] = [];
  for (const line of text.split('\n').slice(from + 1)) {
    if (/^\s*\[/.test(line)) break;
    const name = /^\s*(?:"([^"]+)"|([\w:.-]+))\s*=/.exec(line);
    if (name) names.push(name[1] ?? name[2]!);
  }
  return names;
}

function yamlTasks(text: string): string[] {
  const from = text.search(/^tasks:\s*$/m);
  return from === -1 ? [] : [...text.slice(from).matchAll(/^ {2}([\w:.-]+):/gm)].map(([, name]) => name!);
}

/** What of a text no longer is so in the project: sentences. */
export function differences(text: string, now: ProjectNow): string[] {
  if (!now.here) return [];
  const found: string[] = [];
  for (const file of now.cut ? [] : filesNamed(text)) {
    const path = whereIs(file, now);
    if (path === undefined) found.push(`\`${file}\` no longer exists`);
    else if (path !== file && file.includes('/')) found.push(`\`${file}\` is now \`${path}\``);
  }
  for (const command of commandsNamed(text)) {
    const runner = command.split(' ')[0]!;
    const own = runner === 'yarn' || runner === 'pnpm' || runner === 'bun' ? 'npm' : runner;
    if (now.runners.has(own) && !now.commands.has(command)) found.push(`\`${command}\` is no longer defined`);
  }
  return [...new Set(found)];
}

/** What is hidden, installed or built is not looked at: nobody can say whether it is there. */
const NOT_LOOKED_AT =
  /(?:^|\/)(?:\.[^/]|(?:node_modules|bower_components|vendor|dist|build|out|target|coverage|__pycache__|venv|env|site-packages|_memory)\/)/;

/** Its path now: as it was, or elsewhere if only one file has its name. Undefined: no file of the checkout has it. */
export function whereIs(file: string, now: ProjectNow): string | undefined {
  if (!now.here || now.cut || now.files.has(file) || NOT_LOOKED_AT.test(file)) return file;
  const name = file.split('/').at(-1)!;
  const others: string[] = [];
  for (const it of now.files) if (it === name || it.endsWith(`/${name}`)) others.push(it);
  if (!file.includes('/')) return others.length > 0 ? file : undefined;
  if (others.length < 2) return others[0];
  // Several have it: which of them it became nobody can say.
  return others.find((it) => file.endsWith(`/${it}`) || it.endsWith(`/${file}`)) ?? file;
}

/** Paths, and names of files in code marks. A bare word with a dot may be anything. */
function filesNamed(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]{3,200})`/g)].map(([, it]) => it!.replace(/:\d+(?:-\d+)?$/, ''));
  const bare = [
    ...text.matchAll(/(?<![\w:/.@~-])((?:[\w@.-]+\/)+[\w@-][\w@.-]*\.[A-Za-z]\w{0,5})(?::\d+)?(?![\w/])/g),
  ].map(([, it]) => it!);
  const isFile = (it: string) =>
    /^(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:[a-z]{1,4}|json|toml|yaml)$/.test(it) && !/^\d/.test(it);
  // A name that was looked up in a package, as in `os.Stdout`, is no file: endings of files are small.
  const named = [...quoted, ...bare].map((it) => it.replace(/^(?:\.\/)+/, ''));
  return [...new Set(named.filter(isFile))].filter(
    (it) =>
      it.includes('/') ||
      /\.(?:ts|tsx|js|mjs|cjs|jsx|vue|py|go|rs|java|kt|rb|php|cs|cpp|hpp|c|h|swift|sh|sql|md|json|toml|yml|yaml|css|scss|html|proto)$/.test(
        it,
      ),
  );
}

const RUN =
  /^(?:(?:npm|pnpm|bun|mise) run|npm|yarn|pnpm|make|just|task|composer|deno task|poe) ([A-Za-z][\w:.-]*)/;
const BUILT_IN =
  /^(?:npm|yarn|pnpm|composer) (?:run|install|ci|i|add|remove|update|audit|publish|pack|init|exec|link|why|ls|list|outdated|view|config|cache|version|dlx)$/;

function commandsNamed(text: string): string[] {
  return [...text.matchAll(/`([^`\n]{4,200})`/g)].flatMap(([, quoted]) => {
    const command = RUN.exec(quoted!.trim())?.[0];
    return command === undefined || BUILT_IN.test(command) ? [] : [command];
  });
}
