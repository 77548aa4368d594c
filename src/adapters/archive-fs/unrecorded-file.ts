import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { fields, flag, oneOf, record, text } from '../../core/model/shape.ts';
import { nothingUnrecorded, type Unrecorded } from '../../core/model/unrecorded.ts';
import type { UnrecordedFile } from '../../ports/archive.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import type { Lock } from './lock.ts';
import { writeFileAtomic } from './write-file.ts';

const SHAPE = fields({
  version: oneOf(1),
  sessions: record(text),
  projects: record(fields({ path: text, record: flag })),
});

export function unrecordedFile(root: string, lock: Lock): UnrecordedFile {
  const file = join(root, 'unrecorded.json');
  const read = async () => parsed(await content(file), file);
  return {
    read,
    async change(work) {
      const before = await read();
      if (isSame(work(before), before)) return;
      await lock.hold(async () => {
        const now = await read();
        const next = work(now);
        if (!isSame(next, now)) await writeFileAtomic(file, `${JSON.stringify(next, null, 2)}\n`);
      });
    },
  };
}

async function content(file: string): Promise<string | undefined> {
  try {
    return await ifThere(readFile(file, 'utf8'));
  } catch (error) {
    throw diskFault(error, file, 'read');
  }
}

/** Nobody guesses what a person kept out: where it can't be read, nothing is recorded. */
function parsed(content: string | undefined, file: string): Unrecorded {
  if (content === undefined) return nothingUnrecorded();
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    value = undefined;
  }
  const checked = SHAPE.safeParse(value);
  if (checked.success) return checked.data;
  throw new Fault(
    'corrupt',
    `${file} can't be read, so Keepsake does not know which sessions are not recorded.`,
    {
      hint: 'Delete the file, then turn recording off again for each of these sessions: `keepsake record off ID`.',
    },
  );
}

function isSame(a: Unrecorded, b: Unrecorded): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
