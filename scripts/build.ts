// CommonJS starts faster than ES modules, and a split build lets a command load only what it uses.
import { realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type InputOptions, type Plugin, type RolldownOutput } from 'rolldown';
import { build as buildPage } from 'vite';
import { loadedWith } from './loaded-with.ts';
import { slimInstall } from './slim-install.ts';

const root = join(import.meta.dirname, '..');

/** They hash a few words, or a line. */
const SHORT_HASHES = new Set(
  ['core/model/ids.ts', 'core/model/sha256.ts'].map((file) => realpathSync(join(root, 'src', file))),
);

/** Loading node:crypto takes 5 ms, and many need but a few short hashes. */
function lightCrypto(isFor: (importer: string) => boolean): Plugin {
  const light = join(root, 'src', 'hook-crypto.ts');
  return {
    name: 'light-crypto',
    resolveId: (id, importer = '') => (id === 'node:crypto' && isFor(importer) ? light : undefined),
  };
}

/** Loading node:fs/promises takes longer than what most hooks and commands read. */
const filesAtOnce: Plugin = {
  name: 'files-at-once',
  resolveId: (id) => (id === 'node:fs/promises' ? join(root, 'src', 'files-at-once.ts') : undefined),
};

/** Its main file is made for loaders that look for its parts while it runs: a bundler needs its modules. */
const wholeJsonc: Plugin = {
  name: 'whole-jsonc',
  resolveId: (id) =>
    id === 'jsonc-parser'
      ? createRequire(import.meta.url)
          .resolve(id)
          .replace(/([\\/])umd[\\/]/, '$1esm$1')
      : undefined,
};

/** The names of a built program's files, for the entry that loads them. */
function builtNames({ output }: RolldownOutput): Record<string, string> {
  const named = (name: string) =>
    JSON.stringify(
      output.find((file) => file.type === 'chunk' && file.isEntry && file.name === name)?.fileName,
    );
  return { MAIN_FILE: named('main'), STORE_FILE: named('store') };
}

/** Loaded with Node's own start anyway. */
const EAGER = new Set(['fs', 'path', 'process', 'events', 'util']);

/** Node's modules are loaded when they are first used: some take as long as a whole command should. */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  renderChunk(code) {
    let any = false;
    const lazy = code.replace(
      /(\bnode_\w+ = )require\("node:([\w/]+)"\);/g,
      (whole, target: string, name: string) => {
        if (EAGER.has(name)) return whole;
        any = true;
        return `${target}lazyBuiltin("node:${name}");`;
      },
    );
    return any ? `${lazy}\n${LAZY}` : null;
  },
};
const LAZY = 'function lazyBuiltin(id) { return new Proxy({}, { get: (_, key) => require(id)[key] }); }';

/** A file of plain characters is read and compiled sooner: one sign beyond them doubles what all of it takes in memory. */
const plainCharacters: Plugin = {
  name: 'plain-characters',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      // What is raw stays as it is written.
      if (/\braw`[^`]*[^\0-\x7f]/.test(chunk.code)) continue;
      chunk.code = chunk.code.replace(/(\\*)([^\0-\x7f])/g, (_, slashes: string, sign: string) => {
        const code = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
        // A slash before a sign that needs none says the same without it.
        return (slashes.length % 2 === 0 ? slashes : slashes.slice(1)) + code;
      });
    }
  },
};

const ENCODING = 'ai-tokenizer/encoding/claude';

/** The encoding of the tokenizer: its tokens in the order of their numbers, as JSON, which is read faster than code. What only decodes, half of it, is left out. */
const encodingAsJson: Plugin = {
  name: 'encoding-as-json',
  transform(code, id) {
    if (!/ai-tokenizer.dist.encoding.claude-[^/\\]*\.js$/.test(id)) return null;
    return code.replace(
      /^const (stringEncoder|decoder) = (\{[\s\S]*?\n\});$/gm,
      (_, name: string, object: string) => {
        if (name === 'decoder') return 'const decoder = {};';
        const tokens: string[] = [];
        const numbers = new Function(`return ${object}`)() as Record<string, number>;
        for (const [token, number] of Object.entries(numbers)) tokens[number] = token;
        const list = JSON.stringify(JSON.stringify(Array.from(tokens, (token) => token ?? 0)));
        return `const stringEncoder = {}; JSON.parse(${list}).forEach((token, number) => { if (token !== 0) stringEncoder[token] = number; });`;
      },
    );
  },
};

/** A file for both programs: it is larger than anything else. */
async function buildEncoding(): Promise<{ fileName: string; code: string }> {
  const { output } = await build({
    cwd: root,
    onLog,
    input: { encoding: ENCODING },
    platform: 'node',
    write: false,
    plugins: [encodingAsJson, plainCharacters],
    output: { format: 'cjs', entryFileNames: '[name]-[hash].cjs', minify: MINIFY },
  });
  return output[0];
}

/** Names are shortened: what a fault's log line says of places is read with the build beside it. */
const MINIFY = { mangle: true, compress: true, codegen: { removeWhitespace: true } } as const;

/** What every command loads, and all that a help or an error does. */
const every = loadedWith('entrypoints/cli/run.ts', 'config/environment.ts', 'files-at-once.ts');
/** One file for all that a search loads besides: each file more costs it half a millisecond. */
const often = loadedWith(
  'entrypoints/cli/commands/search.ts',
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
);

/** Said of what a source means to load late and another loads anyway: as it is meant. */
const onLog: NonNullable<InputOptions['onLog']> = (level, log, handle) => {
  if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level, log);
};

const encoding = await buildEncoding();

const commands = await build({
  cwd: root,
  onLog,
  input: { main: 'src/main.ts', store: 'src/store-compiled.ts' },
  platform: 'node',
  external: (id, importer) =>
    id === ENCODING ||
    (id.startsWith('node:') &&
      id !== 'node:fs/promises' &&
      !(id === 'node:crypto' && SHORT_HASHES.has(importer ?? ''))),
  output: {
    dir: join(root, 'dist'),
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name]-[hash].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    paths: { [ENCODING]: `../../plugin/dist/${encoding.fileName}` },
    minify: MINIFY,
    cleanDir: true,
    codeSplitting: {
      groups: [
        // Otherwise the bundler's own few lines land in commander's chunk, and everything loads that.
        { name: 'commander', test: /node_modules.commander/, priority: 1 },
        { name: 'every', test: (id) => every.has(id) || /rolldown.runtime/.test(id), priority: 2 },
        { name: 'often', test: (id) => often.has(id) },
      ],
    },
  },
  plugins: [
    wholeJsonc,
    lazyBuiltins,
    plainCharacters,
    lightCrypto((importer) => SHORT_HASHES.has(importer)),
    filesAtOnce,
  ],
});

/** Small and wanted by nearly all: without it these would go where one of the costly ones is. */
const BASE =
  /src.core.model.(?:ids|own-tools|search|change|config-defaults)\.ts|src.core.text.(?:utc|estimate-tokens|once|bounded-cache|per-owner)\.ts|src.(?:hook-crypto|files-at-once)/;

/** Signs and encrypts, in detached work alone: it needs more of node:crypto than hashes. */
const isSealing = (importer = '') =>
  /src.(?:core.remote|adapters.(?:remote|bundle)|app.(?:segment|remote|bundle))/.test(importer);

/** What every hook loads that does more than count. */
const always = loadedWith('hook-main.ts');
/** What an event loads besides, in one file: each file more costs half a millisecond. */
const start = loadedWith('entrypoints/hooks/on-start.ts');
const prompt = loadedWith('entrypoints/hooks/on-prompt.ts');
const work = loadedWith('entrypoints/hooks/on-work.ts');
const passages = loadedWith('app/inject/prompt-passages.ts');
const running = loadedWith('app/sync/sync-open-sessions.ts');

// What the plugin carries: it runs where neither this package nor its dependencies are.
const hooks = await build({
  cwd: root,
  onLog,
  input: { main: 'src/hook-main.ts', store: 'src/store-compiled.ts' },
  platform: 'node',
  external: (id, importer) =>
    id === ENCODING ||
    (id.startsWith('node:') && (id !== 'node:crypto' || isSealing(importer)) && id !== 'node:fs/promises'),
  plugins: [lazyBuiltins, plainCharacters, lightCrypto((importer) => !isSealing(importer)), filesAtOnce],
  output: {
    dir: join(root, 'plugin', 'dist'),
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name]-[hash].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    paths: { [ENCODING]: `./${encoding.fileName}` },
    minify: MINIFY,
    cleanDir: true,
    // What is costly to load stands alone, so that only a hook that needs it does.
    codeSplitting: {
      groups: [
        { name: 'always', test: (id) => always.has(id) || BASE.test(id), priority: 3 },
        { name: 'zod', test: /node_modules.zod/, priority: 2 },
        { name: 'redact', test: /src.core.text.(?:redact|secret)/, priority: 1 },
        {
          name: 'words',
          test: /node_modules.wink|src.core.text.(?:terms|stop-words|irregular)|related-words/,
          priority: 1,
        },
        { name: 'both', test: (id) => start.has(id) && prompt.has(id) },
        { name: 'start', test: (id) => start.has(id) },
        { name: 'prompt', test: (id) => prompt.has(id) },
        { name: 'running', test: (id) => running.has(id) },
        // Without this a prompt would load all of `work` for what both use.
        { name: 'texts', test: (id) => passages.has(id) && work.has(id) },
        { name: 'work', test: (id) => work.has(id) },
        { name: 'passages', test: (id) => passages.has(id) },
      ],
    },
  },
});

writeFileSync(join(root, 'plugin', 'dist', encoding.fileName), encoding.code);

/** An entry in one small file: most hooks end in it, before there is compiled code to be had. */
async function buildEntry(input: Record<string, string>, dir: string, built: RolldownOutput): Promise<void> {
  await build({
    cwd: root,
    onLog,
    input,
    platform: 'node',
    external: /^node:/,
    transform: { define: builtNames(built) },
    plugins: [lazyBuiltins, plainCharacters],
    output: {
      dir,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      minify: MINIFY,
    },
  });
}

await buildEntry({ cli: 'src/cli.ts' }, join(root, 'dist'), commands);
await buildEntry({ hook: 'src/hook.ts' }, join(root, 'plugin', 'dist'), hooks);

// The one before an edit or a command, in one file, too.
await build({
  cwd: root,
  onLog,
  input: { action: 'src/action-hook.ts' },
  platform: 'node',
  external: (id) => id.startsWith('node:') && id !== 'node:crypto',
  plugins: [lazyBuiltins, plainCharacters, lightCrypto(() => true)],
  output: {
    dir: join(root, 'plugin', 'dist'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    minify: MINIFY,
  },
});

slimInstall();
await buildPage({ configFile: join(root, 'ui', 'vite.config.ts'), logLevel: 'error' });
