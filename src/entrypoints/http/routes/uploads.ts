import { z } from 'zod';
import { Fault } from '../../../core/model/fault.ts';
import { route } from '../route.ts';
import { addToUpload, dropUpload } from '../uploads.ts';

const fileName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f]+$/, 'not a file name');

export const uploadRoutes = [
  route({
    method: 'post',
    path: '/api/memory/uploads',
    about:
      'Uploads a piece of a file from a browser. Import it by the returned path. It is deleted after an hour.',
    body: z.strictObject({
      upload: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .optional()
        .meta({ description: 'id of the upload; without it, a new upload begins' }),
      name: fileName,
      at: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: 'bytes uploaded before' }),
      data: z
        .string()
        .max(1_000_000)
        .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'not Base64')
        .meta({ description: 'the next bytes, in Base64', contentEncoding: 'base64' }),
    }),
    answer: z.object({
      upload: z.string(),
      folder: z.string().meta({ description: 'folder with all files of the upload' }),
      path: z.string(),
      bytes: z.number().int().meta({ description: 'of this file so far' }),
    }),
    status: 201,
    run: async ({ world, body }) => {
      const { data, ...piece } = body;
      try {
        return await addToUpload({ ...piece, bytes: Buffer.from(data, 'base64') }, world.clock.millis());
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
          throw new Fault('conflict', `${body.name} is already in this upload.`, {
            hint: 'Start another upload.',
          });
        throw error;
      }
    },
  }),
  route({
    method: 'delete',
    path: '/api/memory/uploads/{uploadId}',
    about: 'Deletes the files of an upload.',
    answer: z.object({ upload: z.string(), deleted: z.literal(true) }),
    run: async ({ params }) => {
      await dropUpload(params.uploadId);
      return { upload: params.uploadId, deleted: true as const };
    },
  }),
] as const;
