import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RemoteStore } from '../../src/ports/remotes.ts';

export type StoreUnderTest = {
  store: RemoteStore;
  /** The same place, opened by someone else. */
  other: RemoteStore;
  /** Where a store takes real segments only: one of this number, with so many bytes of content. */
  segment?(repo: string, seq: number, content: Buffer): { name: string; bytes: Buffer };
  dispose(): Promise<void>;
};

const HEX = '0123456789abcdef0123456789abcdef';
const name = (repo: string, seq: number) =>
  `r/${repo.repeat(32)}/${HEX}/log/${String(seq).padStart(8, '0')}-${HEX}`;

/** What every place that holds segments must do. */
export function remoteStoreContract(label: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${label} as a store`, () => {
    let it: StoreUnderTest;
    beforeEach(async () => {
      it = await make();
      await it.store.prepare();
    });
    afterEach(() => it.dispose());
    const file = (repo: string, seq: number, content: Buffer) =>
      it.segment?.(repo.repeat(32), seq, content) ?? { name: name(repo, seq), bytes: content };
    const put = async (sent: { name: string; bytes: Buffer }) => {
      await it.store.put(sent.name, sent.bytes);
      await it.store.flush();
      return sent;
    };

    test('what is put is listed and read, byte for byte, by others too', async () => {
      const content = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));
      const sent = await put(file('a', 1, content));
      for (const store of [it.store, it.other]) {
        expect(await store.list('r/')).toEqual([{ name: sent.name, bytes: sent.bytes.length }]);
        expect((await store.get(sent.name))?.equals(sent.bytes)).toBe(true);
      }
    });

    test('nothing is there before it is put, and asking for it is no fault', async () => {
      const known = await put(file('a', 2, Buffer.from('x')));
      const missing = file('a', 1, Buffer.from('y'));
      expect(await it.store.get(missing.name)).toBeUndefined();
      expect((await it.store.list('r/')).map((entry) => entry.name)).toEqual([known.name]);
      await it.store.remove(missing.name);
      await it.store.flush();
    });

    test('an empty store has an empty list', async () => {
      expect(await it.store.list('r/')).toEqual([]);
    });

    test('a list is sorted and keeps to its prefix', async () => {
      const names = new Map<string, string>();
      for (const [repo, seq] of [
        ['b', 2],
        ['a', 10],
        ['a', 9],
        ['b', 1],
      ] as const)
        names.set(`${repo}${seq}`, (await put(file(repo, seq, Buffer.from(`${repo}${seq}`)))).name);
      const listed = async (prefix: string) => (await it.other.list(prefix)).map((entry) => entry.name);
      expect(await listed('r/')).toEqual(['a9', 'a10', 'b1', 'b2'].map((key) => names.get(key)));
      expect(await listed(`r/${'b'.repeat(32)}/`)).toEqual(['b1', 'b2'].map((key) => names.get(key)));
      expect(await listed(`r/${'c'.repeat(32)}/`)).toEqual([]);
    });

    test('putting twice, at once, is putting once; what is removed is gone', async () => {
      const sent = file('a', 1, Buffer.from('the same bytes'));
      await Promise.all([it.store.put(sent.name, sent.bytes), it.store.put(sent.name, sent.bytes)]);
      await it.store.flush();
      expect(await it.other.list('r/')).toHaveLength(1);
      expect((await it.other.get(sent.name))?.equals(sent.bytes)).toBe(true);
      await it.store.remove(sent.name);
      await it.store.flush();
      expect(await it.other.list('r/')).toEqual([]);
      expect(await it.other.get(sent.name)).toBeUndefined();
    });

    test('two who put the same bytes at once put them once, where others may put them at all', async () => {
      const sent = file('a', 1, Buffer.from('the same bytes'));
      const both = [it.store.put(sent.name, sent.bytes), it.other.put(sent.name, sent.bytes)];
      const [, second] = await Promise.allSettled(both);
      expect(second?.status).toBe(it.other.isOwnOnly ? 'rejected' : 'fulfilled');
      await it.store.flush();
      await it.other.flush();
      expect(await it.other.list('r/')).toHaveLength(1);
      expect((await it.other.get(sent.name))?.equals(sent.bytes)).toBe(true);
    });

    test('hundreds of names are all listed', async () => {
      const all = Array.from({ length: 120 }, (_, at) => file('a', at + 1, Buffer.from(`${at}`)));
      await Promise.all(all.map((sent) => it.store.put(sent.name, sent.bytes)));
      await it.store.flush();
      expect((await it.other.list('r/')).map((entry) => entry.name)).toEqual(all.map((sent) => sent.name));
    });

    test('an empty file is a file', async () => {
      const sent = await put(file('a', 1, Buffer.alloc(0)));
      expect(await it.other.list('r/')).toEqual([{ name: sent.name, bytes: sent.bytes.length }]);
      expect((await it.other.get(sent.name))?.equals(sent.bytes)).toBe(true);
    });
  });
}
