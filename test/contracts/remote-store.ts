import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RemoteStore } from '../../src/ports/remotes.ts';

export type StoreUnderTest = {
  store: RemoteStore;
  /** The same place, opened by somebody else. */
  other: RemoteStore;
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
    const put = async (key: string, bytes: Uint8Array) => {
      await it.store.put(key, bytes);
      await it.store.flush();
    };

    test('what is put is listed and read, byte for byte, by others too', async () => {
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));
      await put(name('a', 1), bytes);
      for (const store of [it.store, it.other]) {
        expect(await store.list('r/')).toEqual([{ name: name('a', 1), bytes: bytes.length }]);
        expect((await store.get(name('a', 1)))?.equals(bytes)).toBe(true);
      }
    });

    test('nothing is there before it is put, and asking for it is no fault', async () => {
      expect(await it.store.get(name('a', 1))).toBeUndefined();
      expect(await it.store.list('r/')).toEqual([]);
      await it.store.remove(name('a', 1));
      await it.store.flush();
    });

    test('a list is sorted and keeps to its prefix', async () => {
      for (const [repo, seq] of [
        ['b', 2],
        ['a', 10],
        ['a', 9],
        ['b', 1],
      ] as const)
        await put(name(repo, seq), Buffer.from(`${repo}${seq}`));
      const names = async (prefix: string) => (await it.other.list(prefix)).map((entry) => entry.name);
      expect(await names('r/')).toEqual([name('a', 9), name('a', 10), name('b', 1), name('b', 2)]);
      expect(await names(`r/${'b'.repeat(32)}/`)).toEqual([name('b', 1), name('b', 2)]);
      expect(await names(`r/${'c'.repeat(32)}/`)).toEqual([]);
    });

    test('putting twice, by two at once, is putting once; what is removed is gone', async () => {
      const bytes = Buffer.from('the same bytes');
      await Promise.all([it.store.put(name('a', 1), bytes), it.other.put(name('a', 1), bytes)]);
      await it.store.flush();
      await it.other.flush();
      expect(await it.other.list('r/')).toHaveLength(1);
      expect((await it.other.get(name('a', 1)))?.toString()).toBe('the same bytes');
      await it.store.remove(name('a', 1));
      await it.store.flush();
      expect(await it.other.list('r/')).toEqual([]);
      expect(await it.other.get(name('a', 1))).toBeUndefined();
    });

    test('hundreds of names are all listed', async () => {
      const all = Array.from({ length: 120 }, (_, at) => name('a', at + 1));
      await Promise.all(all.map((key) => it.store.put(key, Buffer.from(key))));
      await it.store.flush();
      expect((await it.other.list('r/')).map((entry) => entry.name)).toEqual(all);
    });

    test('an empty file is a file', async () => {
      await put(name('a', 1), Buffer.alloc(0));
      expect(await it.other.list('r/')).toEqual([{ name: name('a', 1), bytes: 0 }]);
      expect((await it.other.get(name('a', 1)))?.length).toBe(0);
    });
  });
}
