import { stat } from 'node:fs/promises';
import { Fault } from '../../core/model/fault.ts';
import type { Transcripts } from '../../ports/transcripts.ts';
import { findTranscripts, withSideFiles } from './find-transcripts.ts';
import { readLines } from './read-lines.ts';

/** The archive's own files, wherever it is, are never found. */
export function openTranscripts(archive?: string): Transcripts {
  return {
    find: (folder, unreadable, options) => findTranscripts(folder, unreadable, { ...options, archive }),
    inspect: async (path) => {
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
