import { expect, test } from 'vitest';
import { claudeExportFiles } from '../../src/adapters/agents/claude-export-files.ts';
import { foldLine } from '../../src/app/intake/fold-session.ts';
import { newSessionState } from '../../src/app/intake/new-session-state.ts';
import { isOwnWords, type L1Line } from '../../src/core/model/l1.ts';
import { SeenIds } from '../../src/core/transcript/seen-ids.ts';

/** As `/export` of Claude Code 2.1.325 writes it, with other words. */
const padded = (line: string) => line.padEnd(80);
const CONSOLE = [
  ' ▐▛███▛█   Claude Code v2.1.325',
  '▝▜██████▀  Opus · API Usage Billing',
  ' ▝▝   ▝▝   /srv/shop',
  '',
  '',
  padded('❯ Run the tests of the basket.'),
  '',
  '  Ran 1 shell command (ctrl+o to expand)',
  '',
  '● Two of them fail.',
  '',
  '✻ Crunched for 2s · done 9:07 PM',
  '',
  padded('❯ Mend them,'),
  padded(''),
  padded('  and never delete the cookie.'),
  '',
  '  No result recorded for 1 call (ctrl+o to expand)',
  '  ⎿  $ exit 3',
  '  ⎿  Interrupted · What should Claude do instead?',
  '',
  padded('! ls /'),
  '  ⎿  bin',
  '     boot',
  '',
  '● The basket keeps its cookie now.',
].join('\n');

test('what the client writes between a prompt and its answer does not count as the user’s words', () => {
  const rows = claudeExportFiles.document?.rows({ text: CONSOLE, path: '/srv/out.txt', isEnded: true });
  const lines = [...(rows ?? [])].map((row) => Buffer.from(JSON.stringify(row)));
  const fold = {
    state: newSessionState('claude-export'),
    seen: new SeenIds(),
    sessionId: 'x',
    extent: 'paragraph' as const,
  };
  const read = lines.flatMap((line, at) =>
    (foldLine({ ...fold, onEntry: () => undefined }, line, at * 1000, at === lines.length - 1) || '')
      .split('\n')
      .filter((it) => it !== '')
      .map((it) => JSON.parse(it) as L1Line),
  );
  expect(read.filter(isOwnWords).map(({ text }) => text)).toEqual([
    'Run the tests of the basket.',
    'Mend them,\n\nand never delete the cookie.',
  ]);
  expect(read.filter(({ role }) => role === 'assistant').map(({ text }) => text)).toEqual([
    'Two of them fail.',
    'The basket keeps its cookie now.',
  ]);
  expect(JSON.stringify(fold.state)).toContain('/srv/shop');
});
