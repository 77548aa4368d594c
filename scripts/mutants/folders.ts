/** The mutated folders, each with its closest tests: a mutant that only more distant tests would find is a missing test. */
export type MutatedFolder = { name: string; mutated: string[]; tests: string[] };

export const MUTATED_FOLDERS: MutatedFolder[] = [
  {
    name: 'ids',
    mutated: ['src/core/model/{ids,id-schemas,overlay-id,stream-id}.ts'],
    tests: ['src/core/model/ids.test.ts'],
  },
  {
    name: 'refine',
    mutated: ['src/core/layers/refine/*.ts'],
    tests: ['src/core/layers/refine/*.test.ts', 'src/app/intake/fold-session.test.ts'],
  },
  {
    name: 'keepit',
    mutated: ['src/core/keepit/*.ts'],
    tests: ['src/core/keepit/*.test.ts'],
  },
  {
    name: 'keepit-app',
    mutated: ['src/app/keepit/*.ts'],
    tests: ['src/app/keepit/*.test.ts'],
  },
  {
    name: 'intake',
    mutated: ['src/app/intake/*.ts'],
    tests: ['src/app/intake/*.test.ts', 'src/app/sync/*.test.ts'],
  },
  {
    name: 'statements',
    // The fitted weights were written by a program: no test checks each of them.
    mutated: ['src/core/statements/**/*.ts', '!src/core/statements/choose/fitted-weights.ts'],
    tests: ['src/core/statements/**/*.test.ts'],
  },
];
