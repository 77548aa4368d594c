import { foldLine } from '../../src/app/intake/fold-session.ts';
import { newSessionState } from '../../src/app/intake/new-session-state.ts';
import type { Agent } from '../../src/core/model/agent.ts';
import { SeenIds } from '../../src/core/transcript/seen-ids.ts';

/** Enough to compile the code and to average out pauses. */
const LEAST_BYTES = 4_000_000;

/** CPU milliseconds per MB of a session's lines, from bytes to L1, repeated until the time is long enough to measure. */
export function readSpeed(agent: Agent, lines: readonly Buffer[]): number {
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  // The first round compiles the code.
  readOnce(agent, lines);
  const before = process.cpuUsage();
  let bytes = 0;
  for (; bytes < LEAST_BYTES; bytes += size) readOnce(agent, lines);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (bytes / 1e6);
}

/** The baseline: the same lines, only parsed. */
export function parseSpeed(lines: readonly Buffer[]): number {
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const before = process.cpuUsage();
  let bytes = 0;
  for (; bytes < LEAST_BYTES; bytes += size) for (const line of lines) JSON.parse(line.toString('utf8'));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (bytes / 1e6);
}

function readOnce(agent: Agent, lines: readonly Buffer[]): void {
  const fold = {
    state: newSessionState(agent),
    seen: new SeenIds(),
    sessionId: 'made',
    extent: 'paragraph' as const,
    onEntry: () => undefined,
  };
  let at = 0;
  for (const [index, line] of lines.entries()) {
    foldLine(fold, line, at, index === lines.length - 1);
    at += line.length + 1;
  }
}
