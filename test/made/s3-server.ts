import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchedPackage } from './fetched-package.ts';

type Server = { run(): Promise<{ port: number }>; close(): Promise<void> };

/** A server on loopback that speaks S3, with one empty bucket. Its keys are those of its documentation. */
export async function s3Server(): Promise<{ address: string; access: S3Keys; close: () => Promise<void> }> {
  const S3rver = createRequire(import.meta.url)(fetchedPackage('s3rver', '3.7.1')) as new (
    options: object,
  ) => Server;
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'memory' }],
  });
  const { port } = await server.run();
  return {
    address: `s3://memory/home?endpoint=http://127.0.0.1:${port}`,
    access: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type S3Keys = { accessKeyId: string; secretAccessKey: string };
