import type { Step } from './work.ts';

export const RULE = 'Never edit the generated files under `src/gen`, run `make gen` instead.';
export const FAILS = 'zsh:1: command not found: gen';

/** What a day of a replayed project may hold. */
export const DAY_SCRIPTS: Step[][] = [
  [
    { you: RULE },
    { agent: 'Understood.' },
    { edit: 'src/price.ts', from: 'a', to: 'b' },
    { agent: 'Done, `roundPrice` rounds half up.' },
  ],
  [
    { you: 'Run the generator' },
    { run: 'gen --all', fails: FAILS },
    { run: './tools/gen --all' },
    { agent: 'It ran.' },
  ],
  [
    { you: 'Which function rounds prices, and how does `roundPrice` do it?' },
    { agent: '`roundPrice` rounds half up, as `price.test.ts` says.' },
  ],
  [
    { you: 'Please fix the invoice counter' },
    { tool: 'Glob', input: { pattern: '**/price*.ts' }, gives: 'src/price.ts' },
    { edit: 'src/price.ts', from: 'b', to: 'c' },
    { agent: 'The counter `nextInvoice` is fixed.' },
  ],
  [{ you: 'You may edit the generated files under `src/gen` now.' }, { agent: 'All right.' }],
];
