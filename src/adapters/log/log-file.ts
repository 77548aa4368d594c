import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const LARGEST = 10 * 1024 * 1024;
/** keepsake.log, keepsake.log.1, keepsake.log.2 */
const FILES = 3;

/** Appends a line to the log, and turns the files over at 10 MB. A log that can't be written is no reason to fail. */
export async function writeLog(file: string, at: string, text: string, largest = LARGEST): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await turnOver(file, largest);
    await appendFile(file, `${at} ${text.trimEnd()}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

async function turnOver(file: string, largest: number): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size < largest) return;
  for (let number = FILES - 1; number > 0; number--) {
    const from = number === 1 ? file : `${file}.${number - 1}`;
    await rename(from, `${file}.${number}`).catch(() => undefined);
  }
}
