import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { type L1Line, l1LineShape } from '../../core/model/l1.ts';
import { parseStoredLines } from '../../core/model/parse-stored.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { damageText } from '../read-stored.ts';
import type { World } from '../world.ts';

/** A session's record and the project it is in. */
export type L1Session = Pick<SessionRecord, 'sessionId' | 'l1' | 'metadata'> & { projectId: ProjectId };

/** The refined transcript as it is stored. Fault `corrupt` where a line of it is damaged. */
export async function readL1(
  world: World,
  { projectId, l1 }: Pick<L1Session, 'projectId' | 'l1'>,
): Promise<L1Line[]> {
  if (l1.file === '') return [];
  const bytes = (await world.archive.files.read(projectId, l1.file)) ?? Buffer.alloc(0);
  const { values, damaged } = parseStoredLines(bytes.toString('utf8', 0, l1.bytes), l1LineShape);
  if (damaged.length > 0) throw damagedL1(l1.file, damageText(damaged));
  return values;
}

/** Anything derived from a refined transcript would lack a damaged line, so the transcript is rebuilt first. */
export function damagedL1(file: string, why: string): Fault {
  const session = /_([^_]+)\.l1\.jsonl$/.exec(file)?.[1] ?? '';
  return new Fault('corrupt', `${file} is damaged (${why}).`, {
    hint: `Rebuild it from the original: keepsake register ${session}`,
  });
}
