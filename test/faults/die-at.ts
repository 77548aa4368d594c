// Loaded before the program: ends it with SIGKILL at one of its writes, half of which may be on the disk by then.
import { watchFiles } from './watched-files.ts';

const root = process.env.CLAUDE_MEMORY_DIR ?? '';
const last = Number(process.env.KEEPSAKE_DIE_AT ?? 0);
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

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}
