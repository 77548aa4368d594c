import { callApi } from './call-api.ts';

/** Bytes of a piece: as text it stays below what a request may hold. */
const PIECE = 700_000;

export type Uploaded = { upload: string; folder: string; path: string };

/** Sends files to the server, which keeps them until they are imported; `onProgress` gets the share that is sent. */
export async function uploadFiles(
  files: readonly File[],
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Uploaded | undefined> {
  const all = files.reduce((sum, { size }) => sum + size, 0);
  let sent = 0;
  let last: Uploaded | undefined;
  try {
    for (const file of files) {
      let at = 0;
      do {
        const data = await base64Of(file.slice(at, at + PIECE));
        const body = { name: file.name, at, data, ...(last ? { upload: last.upload } : {}) };
        last = await callApi('post /api/memory/uploads', { body, signal });
        sent += Math.min(PIECE, file.size - at);
        at += PIECE;
        onProgress(all === 0 ? 1 : sent / all);
      } while (at < file.size);
    }
  } catch (error) {
    if (last) await removeUpload(last).catch(() => undefined);
    throw error;
  }
  return last;
}

export async function removeUpload({ upload }: Uploaded): Promise<void> {
  await callApi('delete /api/memory/uploads/{uploadId}', { params: { uploadId: upload } });
}

async function base64Of(piece: Blob): Promise<string> {
  const bytes = new Uint8Array(await piece.arrayBuffer());
  let text = '';
  // A call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
