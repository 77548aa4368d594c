// Repeats one kind of write until it fails, and prints on stdout how often it was acknowledged and why it ended.
import { writeSync } from 'node:fs';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { Fault } from '../../src/core/model/fault.ts';
import { toProjectId, toSessionId } from '../../src/core/model/ids.ts';

export type Filled = { acknowledged: number; fault: string; message: string };

if (import.meta.main) {
  const [root = '', kind = '', source = ''] = process.argv.slice(2);
  const project = toProjectId('-full');
  const archive = openArchive(root, { now: () => '2026-01-01T00:00:00.000Z', maxLogLines: 16 });
  const writes: Record<string, (n: number) => Promise<unknown>> = {
    change: (n) =>
      archive.change(
        project,
        [{ at: ['sessions', `s${n}`], put: { sessionId: `s${n}`, text: 'x'.repeat(1500) } }],
        [{ at: 't', action: 'register', sessionId: toSessionId(`s${n}`) }],
      ),
    absorb: () => archive.originals.absorb(project, 's0.jsonl', { path: source }, 'copy'),
    write: (n) => archive.files.write(project, 'memory/x.md', `${n}\n`.padEnd(10_000 * (n + 1), 'x')),
  };
  for (let n = 0; n < 1000; n++) {
    try {
      await writes[kind]?.(n);
    } catch (error) {
      const fault = error instanceof Fault ? error.code : String(error);
      const filled: Filled = { acknowledged: n, fault, message: (error as Error).message };
      writeSync(1, JSON.stringify(filled));
      break;
    }
  }
}
