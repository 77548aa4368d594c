import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Change, newProjectChange } from '../src/core/model/change.ts';
import { type ProjectId, toProjectId } from '../src/core/model/ids.ts';
import { versionId } from '../src/core/model/version.ts';
import type { Archive } from '../src/ports/archive.ts';

const DAY_MS = 86_400_000;

/** Makes a project with realistic records: two versions per session, a keepit in every tenth. Writes files only if asked. */
export async function makeSessions(archive: Archive, count: number, files = false): Promise<ProjectId> {
  const project = toProjectId('-srv-bench');
  const now = Date.now();
  await archive.change(project, [
    newProjectChange({
      projectId: project,
      originalPath: '/srv/bench',
      displayName: 'bench',
      createdAt: new Date(now).toISOString(),
    }),
  ]);
  const changes: Change[] = [];
  for (let n = 0; n < count; n++) {
    const id = `session-${String(n).padStart(6, '0')}`;
    const record = recordOf(id, n, new Date(now - (n % 100) * DAY_MS).toISOString());
    changes.push({ at: ['sessions', id], put: record });
    changes.push({ at: ['parts', id], put: [partOf(record.lastTimestamp)] });
    if (files) await writeFiles(archive, project, id, record);
  }
  await archive.change(project, changes);
  await archive.fold(project);
  return project;
}

function recordOf(id: string, n: number, time: string) {
  const counts = {
    human: 20,
    queued: 0,
    assistant: 20,
    toolCalls: 60,
    toolErrors: 2,
    compactions: 0,
    exchanges: 20,
  };
  const keepit = {
    markerId: `k_${id}`,
    messageUuid: 'u',
    weight: 0.8,
    content: 'kept',
    position: { start: 0, end: 4 },
  };
  return {
    sessionId: id,
    originalFile: `/home/user/${id}.jsonl`,
    originalTokens: 50_000,
    originalMessages: 40,
    originalBytes: 4096,
    originalHash: 'h',
    tokenCounter: 'c',
    firstTimestamp: time,
    lastTimestamp: time,
    registeredAt: time,
    lastAccessed: time,
    registered: true,
    metadata: {
      agent: 'claude-code',
      gitBranches: ['main'],
      title: `session number ${n}`,
      models: [],
      filesTouched: Array.from({ length: 12 }, (_, file) => `src/part-${file}/file-${n % 50}.ts`),
      filesTouchedCount: 12,
      subSessions: [],
      counts,
      lines: { total: 200, bad: 0, oversize: 0, duplicate: 0, unknown: {} },
      redactions: {},
    },
    keepitMarkers:
      n % 10 === 0
        ? [
            {
              ...keepit,
              context: '',
              createdAt: time,
              survivedIn: [],
              summarizedIn: [],
              origin: 'user',
              held: false,
              src: 0,
            },
          ]
        : [],
    compressions: [versionOf(1, 'standard', 6000, time), versionOf(2, 'aggressive', 3000, time)],
    l1: { file: `memory/sessions/2026-01-01_0000_${id}.l1.jsonl`, lines: 100, bytes: 1000 },
    engine: 1,
  };
}

function versionOf(number: number, tierPreset: string, outputTokens: number, createdAt: string) {
  const decay = {
    compressionBase: { light: 0.1, moderate: 0.3, aggressive: 0.5 },
    maxSessionDistance: 10,
    pinnedWeight: 1,
  };
  return {
    versionId: versionId(1, number),
    part: 1,
    file: `${versionId(1, number)}_tiered-${tierPreset}_${outputTokens / 1000}k`,
    createdAt,
    settings: {
      mode: 'tiered',
      tierPreset,
      model: 'extractive',
      skipFirstMessages: 0,
      keepitMode: 'decay',
      sessionDistance: 1,
      telegraphic: false,
      decay,
      weights: {},
    },
    engine: 'extractive-3.1.9',
    inputTokens: 50_000,
    inputMessages: 40,
    outputTokens,
    outputMessages: 10,
    tokenCounter: 'c',
    compressionRatio: 50_000 / outputTokens,
    keepitStats: { preserved: 0, summarized: 0, weights: {} },
    inputHash: 'h',
    markdownHash: 'h',
    jsonlHash: `h${number}`,
    survived: [],
    summarized: [],
  };
}

function partOf(createdAt: string) {
  return {
    part: 1,
    bytes: [0, 4096],
    l1: [0, 1000],
    l1Line: 1,
    messages: [1, 40],
    tokens: 50_000,
    engine: 1,
    createdAt,
  };
}

async function writeFiles(
  archive: Archive,
  project: ProjectId,
  id: string,
  { l1, compressions }: ReturnType<typeof recordOf>,
): Promise<void> {
  const paths = [
    archive.originals.path(project, `${id}.jsonl`),
    archive.files.path(project, l1.file),
    archive.files.path(project, l1.file.replace('.l1.jsonl', '.l2.json')),
    archive.files.path(undefined, `ingest/${project}/${id}.json`),
    ...compressions.flatMap(({ file }) =>
      ['md', 'jsonl'].map((ending) => archive.files.path(project, `summaries/${id}/${file}.${ending}`)),
    ),
  ];
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x'.repeat(1000));
  }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
