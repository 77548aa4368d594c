// Loaded before the program: kills it with SIGKILL at one of its writes, half of which may be on the disk by then. A program that
// survives prints on descriptor 3 how many writes it made.
import { writeSync } from 'node:fs';
import { watchFiles } from './watched-files.ts';

const root = process.env.HOME ?? '';
const last = Number(process.env.KEEPSAKE_DIE_AT ?? 0);
const COUNT_TO = 3;
let seen = 0;

if (last > 0)
  watchFiles({
    before(call) {
      if (!call.change || (call.path.startsWith('/') && !call.path.startsWith(root))) return undefined;
      if (++seen < last) return undefined;
      if (call.name === 'writeSync' && last % 2 === 0) return 'half';
      return die();
    },
    after: () => {
      if (seen >= last) die();
    },
  });

process.on('exit', () => {
  if (last > 0) writeSync(COUNT_TO, String(seen));
});

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}
