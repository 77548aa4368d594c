import { expect, test } from 'vitest';
import { s3Store } from '../../src/adapters/remote-s3/s3-store.ts';
import { s3Server } from '../made/s3-server.ts';
import { remoteStoreContract } from './remote-store.ts';

remoteStoreContract('An S3 bucket', async () => {
  const { address, access, close } = await s3Server();
  return { store: s3Store(address, access), other: s3Store(address, access), dispose: close };
});

test('without keys, with wrong keys or without a bucket the error says what to do', async () => {
  const { address, access, close } = await s3Server();
  try {
    await expect(
      s3Store(address, { accessKeyId: undefined, secretAccessKey: undefined }).list('r/'),
    ).rejects.toMatchObject({ code: 'config' });
    await expect(
      s3Store(address, { ...access, accessKeyId: 'nobody' }).put('r/a', Buffer.from('x')),
    ).rejects.toMatchObject({
      code: 'remote',
    });
    await expect(s3Store(address.replace('memory', 'nothing'), access).list('r/')).rejects.toMatchObject({
      code: 'remote',
    });
    expect(() => s3Store('s3:///prefix', access)).toThrow('names no bucket');
  } finally {
    await close();
  }
});
