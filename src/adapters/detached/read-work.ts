import { readFileSync } from 'node:fs';
import type { QueuedWork, WorkInput } from '../../core/model/detached-work.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fields, text } from '../../core/model/shape.ts';
import { workFile } from './work-queue.ts';

const workInput = fields({ event: text, started: text });

/** Undefined if it is gone, or was never whole: then there is nothing to be done for it. */
export function readWork(archive: string, work: QueuedWork): WorkInput | undefined {
  try {
    return parseStored(readFileSync(workFile(archive, work)), workInput).value;
  } catch {
    return undefined;
  }
}
