// What the build changes in the code that the bundler writes.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** Loading node:crypto takes 20 ms, and many need but a few short hashes. */
export function lightCrypto(isFor: (importer: string) => boolean): Plugin {
  const light = join(root, 'src', 'hook-crypto.ts');
  return {
    name: 'light-crypto',
    resolveId: (id, importer = '') => (id === 'node:crypto' && isFor(importer) ? light : undefined),
  };
}

/** Loading node:fs/promises takes longer than what most hooks and commands read. */
export const filesAtOnce: Plugin = {
  name: 'files-at-once',
  resolveId: (id) => (id === 'node:fs/promises' ? join(root, 'src', 'files-at-once.ts') : undefined),
};

/** Its main file is made for loaders that look for its parts while it runs: a bundler needs its modules. */
export const wholeJsonc: Plugin = {
  name: 'whole-jsonc',
  resolveId: (id) =>
    id === 'jsonc-parser'
      ? createRequire(import.meta.url)
          .resolve(id)
          .replace(/([\\/])umd[\\/]/, '$1esm$1')
      : undefined,
};

/** Loaded with Node's own start anyway. */
const EAGER = new Set(['fs', 'path', 'process', 'events', 'util']);

/** Node's modules are loaded when they are first used: some take as long as a whole command should. */
export const lazyBuiltins: Plugin = {
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
/** The bundler would copy each name of a module of Node's, which takes longer than most of them are used. */
export const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  renderChunk(code) {
    let any = false;
    const plain = code.replace(/(\bnode_\w+) = (?:\w+\.)?\w+\(\1(?:, 1)?\);/g, (_, name: string) => {
      any = true;
      return `${name} = asNamespace(${name});`;
    });
    return any ? `${plain}\n${NAMESPACE}` : null;
  },
};
const NAMESPACE =
  'function asNamespace(module) { return Object.create(module, { default: { value: module } }); }';
const LAZY = 'function lazyBuiltin(id) { return new Proxy({}, { get: (_, key) => require(id)[key] }); }';

/** A file of plain characters is read and compiled sooner: one sign beyond them doubles what all of it takes in memory. */
export const plainCharacters: Plugin = {
  name: 'plain-characters',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      // What is raw stays as it is written: one sign there, and no process would find the file compiled.
      const [raw] = /\braw`[^`]*[^\0-\x7f]/.exec(chunk.code) ?? [];
      if (raw !== undefined) throw new Error(`Write this sign as \\u and four digits: ${raw}`);
      chunk.code = chunk.code.replace(/(\\*)([^\0-\x7f])/g, (_, slashes: string, sign: string) => {
        const code = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
        // A slash before a sign that needs none says the same without it.
        return (slashes.length % 2 === 0 ? slashes : slashes.slice(1)) + code;
      });
    }
  },
};

export const ENCODING = 'ai-tokenizer/encoding/claude';
