// Registers a session in a project of 10 sessions and in one of 10,000, alternating in one run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../src/adapters/archive-fs/open-archive.ts';
import { type Change, newProjectChange } from '../src/core/model/change.ts';
import { type ProjectId, toProjectId, toSessionId } from '../src/core/model/ids.ts';
import type { Archive } from '../src/ports/archive.ts';
import { isMain, median, percentile, table } from './bench-table.ts';

const SIZES = [10, 10_000];
const TURNS = 200;

export async function run(args: string[]): Promise<void> {
  const turns = Number(args[0] ?? TURNS);
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-bench-'));
  const archive = openArchive(folder, { now: () => new Date().toISOString(), maxLogLines: turns + 10 });
  try {
    const projects: ProjectId[] = [];
    for (const size of SIZES) projects.push(await makeProject(archive, size));
    const registered = SIZES.map(() => [] as number[]);
    for (let turn = -10; turn < turns; turn++) {
      for (const [place, project] of projects.entries()) {
        const ms = await timed(() => register(archive, project, `new-${turn + 10}`));
        // The first ten rounds only warm up.
        if (turn >= 0) registered[place]?.push(ms);
      }
    }
    const opened: number[] = [];
    const folded: number[] = [];
    for (const project of projects) {
      opened.push(await timed(() => archive.open(project)));
      folded.push(await timed(() => archive.fold(project)));
    }
    const rows = SIZES.map((size, place) => [
      `${size} sessions`,
      ...[
        median(registered[place] ?? []),
        percentile(registered[place] ?? [], 95),
        opened[place],
        folded[place],
      ].map((ms) => (ms ?? 0).toFixed(2)),
    ]);
    table(['project of', 'register p50 ms', 'p95 ms', 'open ms', 'fold ms'], rows);
    const [small = 1, large = 1] = registered.map(median);
    console.log(
      `\nregister in 10,000 compared to 10: ${(large / small).toFixed(2)}x (goal: within 1.5x); median of ${turns}`,
    );
  } finally {
    await archive.close();
    await rm(folder, { recursive: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The same steps as the command: resolve the project, then apply the change. */
async function register(archive: Archive, project: ProjectId, id: string): Promise<void> {
  await archive.head(project);
  await archive.change(
    project,
    [put(id)],
    [{ at: new Date().toISOString(), action: 'register', sessionId: toSessionId(id) }],
  );
}

async function makeProject(archive: Archive, size: number): Promise<ProjectId> {
  const project = toProjectId(`-bench-${size}`);
  const create = newProjectChange({
    projectId: project,
    originalPath: '/bench',
    displayName: 'bench',
    createdAt: '',
  });
  const ids = Array.from(
    { length: size },
    (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  );
  await archive.change(project, [create, ...ids.map(put)]);
  return project;
}

/** About 1.5 kB, like the record of a real session. */
function put(id: string): Change {
  const at = '2026-01-01T00:00:00.000Z';
  const filesTouched = Array.from({ length: 12 }, (_, n) => `src/folder-${n}/some-file-name-${n}.ts`);
  const record = {
    sessionId: id,
    originalFile: `/home/ada/.claude/projects/-home-ada-app/${id}.jsonl`,
    originalTokens: 123_456,
    originalMessages: 450,
    originalBytes: 5_432_100,
    originalHash: 'f'.repeat(64),
    tokenCounter: 'ai-tokenizer/claude x1.13',
    firstTimestamp: at,
    lastTimestamp: at,
    registeredAt: at,
    lastAccessed: at,
    registered: true,
    metadata: {
      agent: 'claude-code',
      gitBranch: 'main',
      gitBranches: ['main'],
      models: ['a-model'],
      filesTouched,
      filesTouchedCount: filesTouched.length,
      title: 'Make the parser faster and keep its tests green',
      subSessions: [],
      counts: {
        human: 20,
        queued: 3,
        assistant: 200,
        toolCalls: 220,
        toolErrors: 7,
        compactions: 1,
        exchanges: 20,
      },
      lines: { total: 700, bad: 0, oversize: 0, duplicate: 0, unknown: {} },
      redactions: {},
    },
    keepitMarkers: [],
    compressions: [],
    l1: { file: `memory/sessions/2026-01-01_0000_${id.slice(0, 8)}.l1.jsonl`, lines: 440, bytes: 98_000 },
    engine: 1,
  };
  return { at: ['sessions', id], put: record };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
