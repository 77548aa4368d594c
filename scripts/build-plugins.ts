// Changes that the build makes to the code of the bundler.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** Loading node:crypto takes 20 ms, and most files only need a few short hashes. */
export function lightCrypto(isFor: (importer: string) => boolean): Plugin {
  const light = join(root, 'src', 'hook-crypto.ts');
  return {
    name: 'light-crypto',
    resolveId: (id, importer = '') => (id === 'node:crypto' && isFor(importer) ? light : undefined),
  };
}

/** Loading node:fs/promises takes longer than the reads of most hooks and commands. */
export const filesAtOnce: Plugin = {
  name: 'files-at-once',
  resolveId: (id) => (id === 'node:fs/promises' ? join(root, 'src', 'files-at-once.ts') : undefined),
};

/** Its main file finds its parts at run time, which a bundler cannot follow; use its modules instead. */
export const wholeJsonc: Plugin = {
  name: 'whole-jsonc',
  resolveId: (id) =>
    id === 'jsonc-parser'
      ? createRequire(import.meta.url)
          .resolve(id)
          .replace(/([\\/])umd[\\/]/, '$1esm$1')
      : undefined,
};

/** Already loaded when Node starts. */
const EAGER = new Set(['fs', 'path', 'process', 'events', 'util']);

/** Loads Node's modules when they are first used: some take as long as a whole command should. */
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
/** Avoids the copies of each exported name that the bundler makes of Node's modules: copying takes longer than most modules are used. */
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

/** What the bundler makes of an exported name: a function that returns it. */
const GETTER =
  /^Object\.defineProperty\(exports, "([^"]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);\n?/gm;

/**
 * Exports what never changes as it is: hundreds of functions that return a name take longer to make than all that a hook does with
 * them. No two files import each other in a circle, so that the end of a file is soon enough.
 */
export const plainExports: Plugin = {
  name: 'plain-exports',
  renderChunk(code) {
    const changing = new Set(Array.from(code.matchAll(/^let ([\w$]+)/gm), ([, name]) => name));
    const plain: string[] = [];
    const rest = code.replace(GETTER, (getter, exported: string, name: string) => {
      if (changing.has(name)) return getter;
      plain.push(`exports.${exported} = ${name};`);
      return '';
    });
    return plain.length === 0 ? null : `${rest}\n${plain.join('\n')}\n`;
  },
};

/** An ASCII file is read and compiled faster: one character beyond ASCII doubles the memory of the whole file. */
export const plainCharacters: Plugin = {
  name: 'plain-characters',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      // Raw template strings can't be changed, and a file with such a character is compiled again by every process.
      const [raw] = /\braw`[^`]*[^\0-\x7f]/.exec(chunk.code) ?? [];
      if (raw !== undefined) throw new Error(`Write this character as \\u and four digits: ${raw}`);
      chunk.code = chunk.code.replace(/(\\*)([^\0-\x7f])/g, (_, slashes: string, sign: string) => {
        const code = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
        // Drops a backslash before a character that needs no escape.
        return (slashes.length % 2 === 0 ? slashes : slashes.slice(1)) + code;
      });
    }
  },
};

export const ENCODING = 'ai-tokenizer/encoding/claude';
