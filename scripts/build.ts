// CommonJS starts faster than ES modules, and a split build lets a command load only what it uses.
import { join } from 'node:path';
import { build } from 'rolldown';

const root = join(import.meta.dirname, '..');

await build({
  cwd: root,
  input: { cli: 'src/main.ts' },
  platform: 'node',
  external: [/^node:/],
  output: {
    dir: join(root, 'dist'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
    cleanDir: true,
    // Otherwise the bundler's own few lines land in commander's chunk, and everything loads that.
    codeSplitting: { groups: [{ name: 'commander', test: /node_modules.commander/ }] },
  },
});

// What the plugin carries: it runs where neither this package nor its dependencies are.
await build({
  cwd: root,
  input: { hook: 'src/hook.ts' },
  platform: 'node',
  external: (id) => id.startsWith('node:') && id !== 'node:crypto',
  plugins: [
    {
      name: 'light-crypto',
      resolveId: (id) => (id === 'node:crypto' ? join(root, 'src', 'hook-crypto.ts') : undefined),
    },
  ],
  output: {
    dir: join(root, 'plugin', 'dist'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
    cleanDir: true,
  },
});
