import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** Without what brings a library along: that comes with the views that need it. */
const SHARED =
  /ui\/src\/(?:text|api|state|markdown|components\/(?:base\/(?:AppIcon|ChoiceButtons|CopyText|EmptyState|FlowList|LoadedView|LoadingState|NoteList|PageSkeleton|ProblemNote|SideList|SkeletonLines|StatTile|TokenMeter|VirtualList|virtual-rows|icons)|layout\/PageFrame|keepits\/WeightBadge|keepits\/weights|versions\/version-text))/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [vue(), tailwindcss()],
  // Static parts as real nodes: as text they would need inline styles that the server's policy forbids.
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // An inlined picture or font would be a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What many views share in small files comes as one: a browser has six connections, and each request takes its time.
        codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] },
      },
    },
  },
});
