import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { type Ack, L1_LINE, PROJECT } from './writer.ts';

/** Sentences; empty lists mean that everything is fine. */
export type Verdict = { corrupt: string[]; lost: string[]; dangling: string[] };

/** Compares acknowledged writes with the archive's contents; safe while writers continue. */
export async function checkAcks(root: string, sources: string, acks: Ack[]): Promise<Verdict> {
  const verdict: Verdict = { corrupt: [], lost: [], dangling: [] };
  const archive = openArchive(root, { now: () => '2026-01-01T00:00:00.000Z' });
  const opened = await archive.open(PROJECT);
  if (!opened) {
    if (acks.length > 0) verdict.lost.push('the whole project');
    return verdict;
  }
  verdict.corrupt.push(...opened.notes);
  const registered = new Set((await archive.history(PROJECT)).map(({ note }) => note));
  const gens = new Map<number, string>();
  for (const ack of acks) {
    const record = opened.manifest.sessions[ack.id] as unknown as Ack | undefined;
    if (!record || record.round < ack.round || record.bytes < ack.bytes)
      verdict.lost.push(`session ${ack.id} ${ack.round}`);
    if (ack.gen > opened.manifest.gen) verdict.lost.push(`generation ${ack.gen}`);
    if (!registered.has(ack.uuid)) verdict.lost.push(`history of ${ack.uuid}`);
    if (gens.has(ack.gen)) verdict.corrupt.push(`generation ${ack.gen} was used twice`);
    gens.set(ack.gen, ack.uuid);
  }
  for (const [id, record] of Object.entries(opened.manifest.sessions)) {
    const uuids = acks.filter((ack) => ack.id === id).map((ack) => ack.uuid);
    await checkSession(verdict, { root, sources, id, record: record as unknown as Ack, uuids });
  }
  return verdict;
}

type Session = { root: string; sources: string; id: string; record: Ack; uuids: string[] };

async function checkSession(verdict: Verdict, { root, sources, id, record, uuids }: Session): Promise<void> {
  const folder = join(root, 'projects', PROJECT);
  const read = (path: string) => readFile(path).catch(() => undefined);
  const copy = await read(join(folder, 'originals', `${id}.jsonl`));
  const l1 = await read(join(folder, 'memory', `${id}.l1`));
  const blob = await read(join(folder, 'memory', `${id}.md`));
  if (!copy || !l1 || !blob) {
    verdict.dangling.push(`files of ${id}`);
    return;
  }
  if (copy.length < record.bytes) verdict.dangling.push(`${record.bytes - copy.length} bytes of ${id}`);
  const lines = new Set(String(copy).split('\n').flatMap(uuidOf));
  for (const uuid of uuids) if (!lines.has(uuid)) verdict.lost.push(`line ${uuid}`);
  const isPlain = !id.endsWith('-0');
  if (isPlain && !(await read(join(sources, `${id}.jsonl`)))?.subarray(0, copy.length).equals(copy)) {
    verdict.corrupt.push(`original of ${id} differs from its source`);
  }
  for (let round = 1; round <= record.round; round++) {
    const line = l1.subarray((round - 1) * L1_LINE, round * L1_LINE);
    if (Number(line) !== round) verdict.corrupt.push(`line ${round} of the derived file of ${id}`);
  }
  if (!/^begin \d+\nm{2000}\nend$/.test(String(blob))) verdict.corrupt.push(`blob of ${id}`);
}

function uuidOf(line: string): string[] {
  try {
    return [(JSON.parse(line) as { uuid: string }).uuid];
  } catch {
    return [];
  }
}
