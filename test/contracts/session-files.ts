import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/core/model/fault.ts';
import type { SeenFile, SessionFiles } from '../../src/ports/session-files.ts';

export type SessionFilesUnderTest = {
  files: SessionFiles;
  /** Makes or overwrites a file of the agent's and gives its path. */
  source(name: string, text: string): Promise<string>;
  text(path: string): Promise<string>;
  seen(path: string): Promise<SeenFile & { mode: number }>;
  /** Names of all there is beside the sources. */
  names(): Promise<string[]>;
  dispose(): Promise<void>;
};

const LINES = 'one\ntwo\nthree\n';

/** What every way to edit a session file must do. */
export function sessionFilesContract(name: string, make: () => Promise<SessionFilesUnderTest>): void {
  describe(`${name} as session files`, () => {
    let it: SessionFilesUnderTest;
    beforeEach(async () => {
      it = await make();
    });
    afterEach(() => it.dispose());
    const edit = (start: number, was: string, now: string) => ({
      start,
      was: Buffer.from(was),
      bytes: Buffer.from(now),
    });

    test('all bytes are read, also of a file longer than a piece', async () => {
      const long = 'abcdefg\n'.repeat(400_000);
      const parts: Buffer[] = [];
      for await (const piece of it.files.read(await it.source('a.jsonl', long)))
        parts.push(Buffer.from(piece));
      expect(Buffer.concat(parts).toString()).toBe(long);
    });

    test('a new file is made whole, and none that stands is touched', async () => {
      const path = await it.source('a.jsonl', LINES);
      await expect(it.files.create(path, 'other', async () => {})).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await it.text(path)).toBe(LINES);
      const fresh = path.replace('a.jsonl', 'b.jsonl');
      expect(await it.files.create(fresh, 'new\n', async () => 7)).toBe(7);
      expect(await it.text(fresh)).toBe('new\n');
      const refuse = () => Promise.reject(new Fault('disk-full', 'No room.'));
      await expect(it.files.create(`${fresh}l`, 'x', refuse)).rejects.toMatchObject({ code: 'disk-full' });
      expect(await it.names()).toEqual(['a.jsonl', 'b.jsonl']);
      expect((await it.names()).filter((name) => name.includes('.tmp'))).toEqual([]);
    });

    test('an edit replaces its bytes and nothing else: not the rest, not the permissions, not the time', async () => {
      const path = await it.source('a.jsonl', LINES);
      const before = await it.seen(path);
      await it.files.edit(path, edit(4, 'two', 'two and a half'), before);
      expect(await it.text(path)).toBe('one\ntwo and a half\nthree\n');
      const after = await it.seen(path);
      expect(after.mode).toBe(before.mode);
      expect(after.mtimeMs, 'to the millisecond').toBeCloseTo(before.mtimeMs, 0);
      expect(await it.names()).toEqual(['a.jsonl']);
    });

    test('an edit far inside a long file keeps every other byte', async () => {
      const long = 'abcdefg\n'.repeat(400_000);
      const path = await it.source('a.jsonl', long);
      await it.files.edit(path, edit(1_600_000, 'abc', 'X'), await it.seen(path));
      expect((await it.text(path)) === `${long.slice(0, 1_600_000)}X${long.slice(1_600_003)}`).toBe(true);
    });

    test('a file that was changed since it was seen stays as it is', async () => {
      const path = await it.source('a.jsonl', LINES);
      const seen = await it.seen(path);
      await it.source('a.jsonl', `${LINES}four\n`);
      await expect(it.files.edit(path, edit(4, 'two', '2'), seen)).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await it.text(path)).toBe(`${LINES}four\n`);
      expect(await it.names()).toEqual(['a.jsonl']);
    });

    test('what does not stand there is not replaced', async () => {
      const path = await it.source('a.jsonl', LINES);
      const seen = await it.seen(path);
      for (const [start, was] of [
        [3, 'two'],
        [4, 'twx'],
        [9, `ree\nmore`],
      ] as const)
        await expect(it.files.edit(path, edit(start, was, '2'), seen)).rejects.toMatchObject({
          code: 'conflict',
        });
      expect(await it.text(path)).toBe(LINES);
    });

    test('a file that is not there is a fault', async () => {
      const path = await it.source('a.jsonl', LINES);
      const seen = await it.seen(path);
      await expect(it.files.edit(`${path}x`, edit(0, '', 'x'), seen)).rejects.toMatchObject({
        code: 'not-found',
      });
    });
  });
}
