import { foldLine } from '../../src/app/intake/fold-session.ts';
import { newSessionState } from '../../src/app/intake/new-session-state.ts';
import type { L1Line } from '../../src/core/model/l1.ts';
import { type Identity, identify } from '../../src/core/transcript/identify.ts';
import type { Agent } from '../../src/core/transcript/read-line.ts';
import { SeenIds } from '../../src/core/transcript/seen-ids.ts';
import { MUTATED_WORDS } from './mutated-file.ts';

/** `unspoken`: nothing that was said or run is left in the file. `empty`: something is, and nothing was read or counted. */
type MutatedOutcome = 'refused' | 'whole' | 'inPart' | 'unspoken' | 'empty';

/** Lines through all stages without an archive, and what would come of their file. */
export function readMutated(lines: Buffer[], onLine?: (line: L1Line) => void): MutatedOutcome {
  const { agent } = lines.reduce<Identity>((known, line) => (known.done ? known : identify(known, line)), {
    done: false,
  });
  if (agent === undefined) return 'refused';
  const state = newSessionState(agent as Agent);
  const seen = new SeenIds();
  let [at, entries, torn] = [0, 0, 0];
  const onEntry = () => {
    entries++;
  };
  for (const [index, line] of lines.entries()) {
    if (line.length === 0) continue;
    const made = foldLine(
      { state, seen, sessionId: 'made', extent: 'paragraph', onEntry },
      line,
      at,
      index === lines.length - 1,
    );
    if (made === false) torn++;
    at += line.length + 1;
    if (onLine) for (const it of (made || '').split('\n')) if (it !== '') onLine(JSON.parse(it) as L1Line);
  }
  const { bad, unknown } = state.lines;
  const odd = bad + torn + Object.values(unknown).reduce((sum, count) => sum + count, 0);
  if (entries > 0) return odd > 0 ? 'inPart' : 'whole';
  // Nothing said, but counted: such a file is refused (`isNotUnderstood`).
  if (odd > 0) return 'refused';
  return MUTATED_WORDS.test(Buffer.concat(lines).toString('utf8')) ? 'empty' : 'unspoken';
}
