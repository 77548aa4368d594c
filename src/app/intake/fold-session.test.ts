import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { titleFrom } from '../../core/transcript/session-facts.ts';
import { foldLine } from './fold-session.ts';
import { newSessionState, type SessionState } from './session-state.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/claude-code');

const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl'))
  .sort();

/** Lines as the reader gives them: a last one without a newline is marked as such. */
function* linesOf(bytes: Buffer): Generator<[line: Buffer, at: number, last: boolean]> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    if (end === -1) {
      yield [bytes.subarray(from), from, true];
      return;
    }
    if (end > from) yield [bytes.subarray(from, end), from, false];
    from = end + 1;
  }
}

function fold(bytes: Buffer): { state: SessionState; l1: string } {
  const state = newSessionState('claude-code');
  const seen = new SeenIds();
  let l1 = '';
  for (const [line, at, last] of linesOf(bytes)) {
    const text = foldLine(state, seen, { sessionId: 'golden', extent: 'paragraph' }, line, at, last);
    if (text !== false) l1 += text;
  }
  return { state, l1 };
}

describe('a golden transcript', () => {
  for (const name of files) {
    it(`${name} is refined as it always was`, async () => {
      const { state, l1 } = fold(readFileSync(join(FIXTURES, name)));
      const { facts, lines, markers } = state;
      const counted = {
        session: facts.sessionId,
        cwd: facts.cwd,
        branch: facts.gitBranch,
        title: titleFrom(facts),
        times: [facts.first, facts.last],
        models: facts.models,
        counts: facts.counts,
        subs: facts.subs,
        lines,
        exchanges: state.exchanges,
        files: state.files,
        markers: markers.map(({ weight, content, origin, held }) => ({ weight, content, origin, held })),
      };
      const golden = join(FIXTURES, '../golden', `${name.replaceAll(/[\\/]/g, '+')}.txt`);
      await expect(`${JSON.stringify(counted, null, 1)}\n\n${l1}`).toMatchFileSnapshot(golden);
    });
  }
});
