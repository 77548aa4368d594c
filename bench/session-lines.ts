// The refined lines of a session file, without an archive.
import { readFileSync } from 'node:fs';
import { foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { type Identity, identify } from '../src/core/transcript/identify.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';

export function linesOf(path: string): L1Line[] {
  const bytes = readFileSync(path);
  let known: Identity = { done: false };
  for (const line of rowsOf(bytes)) {
    known = identify(known, line.bytes);
    if (known.agent) break;
  }
  const state = newSessionState(known.agent ?? 'claude-code');
  const fold = { state, seen: new SeenIds(), sessionId: 'bench', extent: 'paragraph' as const };
  let text = '';
  for (const { bytes: line, at, last } of rowsOf(bytes)) text += foldLine(fold, line, at, last) || '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as L1Line);
}

function* rowsOf(bytes: Buffer): Generator<{ bytes: Buffer; at: number; last: boolean }> {
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline === -1 ? bytes.length : newline;
    yield { bytes: bytes.subarray(from, end), at: from, last: newline === -1 };
    from = end + 1;
  }
}
