import { stat } from 'node:fs/promises';
import { Fault } from '../../core/model/fault.ts';
import type { Transcripts } from '../../ports/transcripts.ts';
import { findTranscripts, withSideFiles } from './find-transcripts.ts';
import { readLines } from './read-lines.ts';

export function openTranscripts(): Transcripts {
  return {
    find: findTranscripts,
    look: async (path) => {
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory()) return 'folder';
      return found?.isFile() ? withSideFiles(path) : undefined;
    },
    readLines: async (path, from, onLine) => {
      try {
        return await readLines(path, from, onLine);
      } catch (cause) {
        if (cause instanceof Fault || (cause as NodeJS.ErrnoException).code === undefined) throw cause;
        throw new Fault('unreadable', `${path} can't be read: ${(cause as Error).message}.`, {
          hint: 'Check that the file exists and that you may read it.',
          cause,
        });
      }
    },
  };
}
