import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { talkFile } from '../../src/app/segment/talk-file.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { SessionRecord } from '../../src/core/model/session.ts';
import { type Turn, transcript } from './conversation.ts';
import { makeWorld } from './world.ts';

/** A session as a member's machine sends it. */
export type Talk = { record: SessionRecord; text: string };

/** The talk of made conversations, by session. */
export async function madeTalk(sessions: Record<string, Turn[]>): Promise<Record<string, Talk>> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-made-talk-'));
  try {
    mkdirSync(join(folder, '-srv-shop'));
    for (const [id, turns] of Object.entries(sessions))
      writeFileSync(join(folder, '-srv-shop', `${id}.jsonl`), transcript('/srv/shop', id, turns));
    return Object.fromEntries((await talkOf(folder)).map((talk) => [talk.record.sessionId, talk]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What was said in the sessions of a folder, as talk. */
export async function talkOf(from: string): Promise<Talk[]> {
  if (!existsSync(from)) throw new Error(`${from} is not there.`);
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-talk-'));
  const world = makeWorld(root);
  const found: Talk[] = [];
  try {
    await sync(world, { from: [from] });
    for (const project of await world.archive.projects()) {
      const manifest = (await world.archive.open(project))?.manifest;
      for (const record of Object.values(manifest?.sessions ?? {})) {
        const text = (await talkFile(world, manifest!, record)).toString('utf8');
        if (text.split('\n').length > 3) found.push({ record, text });
      }
    }
  } finally {
    await world.remove();
    rmSync(root, { recursive: true, force: true });
  }
  return found;
}

/** The lines of a segment that holds a session's talk. */
export function talkLines({ record, text }: Talk, project: string): string[] {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { sessionId: session } = record;
  const line = {
    ...record,
    compressions: [],
    beside: [],
    metadata: { ...record.metadata, agent: 'talk', subSessions: [] },
  };
  const at = '2026-01-01T00:00:00.000Z';
  return [
    { t: 'device', name: 'laptop', at },
    { t: 'project', id: project, path: '/srv/shop', name: 'shop', createdAt: at, settings: {} },
    { t: 'piece', session, file: 'talk', at: 0, end: bytes.length, sha256 },
    { t: 'file', file: { kind: 'original', session } },
    { t: 'data', text },
    { t: 'eof', bytes: bytes.length, sha256 },
    { t: 'session', record: line, l1: { bytes: 0, sha256: '' }, parts: [] },
  ].map((it) => JSON.stringify(it));
}
