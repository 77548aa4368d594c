// CommonJS starts faster than ES modules, and a split build lets a command or a hook load only what it uses.
import { createHash } from 'node:crypto';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as encodingOfClaude from 'ai-tokenizer/encoding/claude';
import { build, type InputOptions, type RolldownOutput } from 'rolldown';
import { build as buildPage } from 'vite';
import { packEncoding } from '../src/core/text/tokens.ts';
import {
  builtinsAsTheyAre,
  ENCODING,
  filesAtOnce,
  lazyBuiltins,
  lightCrypto,
  plainCharacters,
  plainExports,
  wholeJsonc,
} from './build-plugins.ts';
import { loadedWith, reachedFrom } from './loaded-with.ts';
import { slimInstall } from './slim-install.ts';

const root = realpathSync(join(import.meta.dirname, '..'));
/** The modules of the plugin, which runs without this package and its dependencies. */
const PLUGIN = 'plugin/dist';

/** A bundler warning for modules that one file loads late and another at once; this is intended. */
const onLog: NonNullable<InputOptions['onLog']> = (level, log, handle) => {
  if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level, log);
};

/** Names are shortened: positions in a fault's log line refer to the build. */
const MINIFY = { mangle: true, compress: true, codegen: { removeWhitespace: true } } as const;

/** Token ranks are data files: reading them is faster than compiling them as code. */
function packedEncoding(): { fileName: string; files: Map<string, Uint8Array | string> } {
  const { strings, binaries } = packEncoding(encodingOfClaude);
  const files = new Map<string, Uint8Array | string>();
  const named = (name: string, ending: string, content: Uint8Array | string) => {
    const fileName = `${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`;
    files.set(fileName, content);
    return fileName;
  };
  const read = (name: string, bytes: Uint8Array) =>
    `exports.${name}=require('node:fs').readFileSync(__dirname+${JSON.stringify(`/${named(name, 'bin', bytes)}`)});`;
  const code = `${read('strings', strings)}${read('binaries', binaries)}exports.pat_str=${JSON.stringify(encodingOfClaude.pat_str)};`;
  return { fileName: named('encoding', 'cjs', code), files };
}

const encoding = packedEncoding();

/** The replacements are imported under the names of the modules that they replace. */
const STAND_INS = ['files-at-once.ts', 'hook-crypto.ts'];
const setOf = (...entries: string[]) => loadedWith(...entries, ...STAND_INS);

/**
 * Sets of modules that are loaded together: by a hook, by an event, by a command. Modules that are in the same sets share one file,
 * so that each hook and command loads only what it needs. A set contains all imports of its modules, so files never import each
 * other in a circle.
 */
const SETS = {
  every: setOf('main.ts', 'entrypoints/cli/run.ts', 'config/environment.ts'),
  world: setOf(
    'app/sync/sync-for.ts',
    'config/archive-place.ts',
    'config/settings-file.ts',
    'adapters/archive-fs/open-archive.ts',
    'adapters/transcripts/transcripts.ts',
    'adapters/transcripts/session-files.ts',
    'adapters/random/system-random.ts',
    'adapters/project-files/project-files.ts',
    'adapters/model/open-models.ts',
    'adapters/model/ledger-file.ts',
    'config/model-variables.ts',
    'adapters/clock/system-clock.ts',
    'adapters/git/git-files.ts',
    'adapters/index-sqlite/open-search-index.ts',
    'adapters/machine/this-machine.ts',
  ),
  search: setOf('entrypoints/cli/commands/search.ts'),
  sessions: setOf('entrypoints/cli/commands/sessions.ts'),
  sync: setOf('entrypoints/cli/commands/sync.ts', 'app/sync/sync-changes.ts'),
  recall: setOf('entrypoints/cli/commands/recall.ts'),
  status: setOf('entrypoints/cli/commands/status.ts'),
  always: setOf('hook-main.ts'),
  start: setOf('entrypoints/hooks/on-start.ts'),
  prompt: setOf('entrypoints/hooks/on-prompt.ts'),
  work: setOf('entrypoints/hooks/on-work.ts'),
  // Most running sessions have nothing new: what reads them is apart.
  running: setOf('app/sync/sync-open-sessions.ts'),
  passages: setOf('app/inject/prompt-passages.ts'),
};
/** Events that someone waits for, and what most prompts do without. */
const ASKED = ['start', 'prompt', 'passages'];

/** Hooks count what they say: nothing else is loaded for it. */
const COUNTER = new Set(
  ['tokens.ts', 'merge-tokens.ts', 'token-ranks.ts'].map((it) => join(root, 'src', 'core', 'text', it)),
);

const ENTRIES = new Set(['main.ts', 'hook-main.ts'].map((it) => join(root, 'src', it)));
const ofHooks = reachedFrom('hook-main.ts', 'store-compiled.ts', ...STAND_INS);
const isOfHooks = (id: string) => ofHooks.has(id);

/** Groups modules by their sets; modules that hooks never load are separate. Null lets the bundler choose. */
function fileFor(id: string): string | null {
  const [, library] = /node_modules.(commander|zod|wink)/.exec(id) ?? [];
  if (library) return library;
  if (/rolldown.runtime/.test(id)) return 'runtime';
  if (COUNTER.has(id)) return 'part-tokens';
  if (ENTRIES.has(id)) return null;
  const sets = new Set(Object.entries(SETS).flatMap(([name, set]) => (set.has(id) ? [name] : [])));
  if (sets.size === 0) return null;
  if (!isOfHooks(id)) return `of-${[...sets].join('-')}`;
  // Each additional file costs a hook time: what all hooks load is not split by event, nor is what commands share with them.
  if (sets.has('always')) return sets.has('every') ? 'part-every-always' : 'part-always';
  // Nor is what a prompt or a start loads split by who else does. A module's imports are in all its sets: no circle can come of it.
  const asked = ASKED.filter((name) => sets.has(name));
  if (asked.length > 0) return `part-${asked.join('-')}`;
  const shared = [...sets].map((name) => (/^(?:sessions|sync|status)$/.test(name) ? 'world' : name));
  return `part-${[...new Set(shared.map((name) => (name === 'recall' ? 'search' : name)))].join('-')}`;
}

/** Modules that only hash a few words or a line, or name a temporary file; more of node:crypto is loaded on demand. */
const hashesLittle = new Set(
  [
    'core/model/ids.ts',
    'core/model/sha256.ts',
    'adapters/remotes/remote-files.ts',
    'adapters/remote-folder/folder-store.ts',
  ].map((it) => join(root, 'src', it)),
);
/** Signs and encrypts, so it needs more of node:crypto than hashes. */
const isSealing = (importer: string) =>
  /src.(?:core.remote|adapters.(?:remote|bundle)|app.(?:segment|remote|bundle))/.test(importer);
const isLight = (importer = '') =>
  hashesLittle.has(importer) || (isOfHooks(importer) && !isSealing(importer));

/** Builds commands and hooks as one program of many files. `inPlugin`: modules that hooks may load. */
function buildPrograms(inPlugin: ReadonlySet<string>, write: boolean): Promise<RolldownOutput> {
  const folderOf = (moduleIds: readonly string[]) =>
    moduleIds.every((id) => inPlugin.has(id)) ? PLUGIN : 'dist/chunks';
  return build({
    cwd: root,
    onLog,
    input: { main: 'src/main.ts', hooks: 'src/hook-main.ts', store: 'src/store-compiled.ts' },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: (id, importer) =>
      id === ENCODING ||
      (id.startsWith('node:') && id !== 'node:fs/promises' && !(id === 'node:crypto' && isLight(importer))),
    plugins: [
      wholeJsonc,
      lazyBuiltins,
      builtinsAsTheyAre,
      plainExports,
      plainCharacters,
      lightCrypto(isLight),
      filesAtOnce,
    ],
    write,
    output: {
      dir: root,
      format: 'cjs',
      dynamicImportInCjs: false,
      entryFileNames: ({ name }) => `${name === 'main' ? 'dist' : PLUGIN}/[name]-[hash].cjs`,
      chunkFileNames: ({ moduleIds }) => `${folderOf(moduleIds)}/[name]-[hash].cjs`,
      paths: { [ENCODING]: `./${encoding.fileName}` },
      minify: MINIFY,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: fileFor, debugName: 'sets' }],
      },
    },
  });
}

/** The modules in all files that hooks may load. */
function modulesOfHooks({ output }: RolldownOutput): Set<string> {
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || files.has(name)) return;
    files.add(name);
    for (const other of [...chunk.imports, ...chunk.dynamicImports]) visit(other);
  };
  for (const { name, isEntry, fileName } of chunks.values()) if (isEntry && name !== 'main') visit(fileName);
  return new Set([...files].flatMap((name) => chunks.get(name)!.moduleIds));
}

const inPlugin = modulesOfHooks(await buildPrograms(new Set(), false));
for (const folder of ['dist', PLUGIN]) rmSync(join(root, folder), { recursive: true, force: true });
const programs = await buildPrograms(inPlugin, true);
for (const file of programs.output)
  if (file.type === 'chunk' && file.fileName.startsWith(PLUGIN) && /require\(.\.\.\//.test(file.code))
    throw new Error(`${file.fileName} imports a module that is not part of the plugin.`);
for (const [name, content] of encoding.files) writeFileSync(join(root, PLUGIN, name), content);

/** An entry in one small file: most hooks end there, before compiled code is available. */
async function buildEntry(name: string, source: string, dir: string): Promise<void> {
  const named = (entry: string) => {
    const found = programs.output.find(
      (file) => file.type === 'chunk' && file.isEntry && file.name === entry,
    )!;
    const beside = found.fileName.startsWith(`${dir}/`);
    return JSON.stringify(beside ? basename(found.fileName) : `../${found.fileName}`);
  };
  await build({
    cwd: root,
    onLog,
    input: { [name]: source },
    platform: 'node',
    external: (id) => id.startsWith('node:') && !(id === 'node:crypto' && name === 'action'),
    transform: {
      define: { MAIN_FILE: named(name === 'cli' ? 'main' : 'hooks'), STORE_FILE: named('store') },
    },
    plugins: [lazyBuiltins, builtinsAsTheyAre, plainCharacters, lightCrypto(() => name === 'action')],
    output: { dir: join(root, dir), format: 'cjs', entryFileNames: '[name].cjs', minify: MINIFY },
  });
}

await buildEntry('cli', 'src/cli.ts', 'dist');
await buildEntry('hook', 'src/hook.ts', PLUGIN);
// The hook before an edit or a command: it loads nothing else.
await buildEntry('action', 'src/action-hook.ts', PLUGIN);

slimInstall();
await buildPage({ configFile: join(root, 'ui', 'vite.config.ts'), logLevel: 'error' });
