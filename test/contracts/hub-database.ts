import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HubAccess, HubDatabase, HubSegmentPlace } from '../../src/ports/hub-database.ts';

export type DatabaseUnderTest = {
  database: HubDatabase;
  /** The same data, opened by another hub. */
  other: HubDatabase;
  dispose(): Promise<void>;
};

const NOW = '2026-06-01T10:00:00.000Z';
const LATER = '2026-06-01T11:00:00.000Z';
const hex = (text: string) => text.repeat(32).slice(0, 32);
const ANNA = { name: 'anna' };
const [REPO, OTHER] = [hex('a'), hex('b')];
const place = (seq: number, more: Partial<HubSegmentPlace> = {}): HubSegmentPlace => ({
  device: hex('d'),
  lane: 'log',
  seq,
  id: hex(String(seq % 10)),
  ...more,
});

/** What every database behind a hub must do. */
export function hubDatabaseContract(label: string, make: () => Promise<DatabaseUnderTest>): void {
  describe(`${label} behind a hub`, () => {
    let it: DatabaseUnderTest;
    beforeEach(async () => {
      it = await make();
      await Promise.all([it.database.prepare(), it.other.prepare()]);
    });
    afterEach(() => it.dispose());

    /** A member with a role and a token. */
    const enter = async (name: string, role: string | undefined, repo = REPO): Promise<HubAccess> => {
      const [id, token] = [randomUUID(), hex(name) + hex(name)];
      await it.database.addMember({ id, name, addedAt: NOW, removedAt: null });
      const device = name === 'anna' ? hex('d') : hex('e');
      await it.database.addDevice({ id: device, member: id, publicKey: 'k', name: 'laptop', addedAt: NOW });
      await it.database.addToken({
        hash: token,
        member: id,
        device,
        label: '',
        createdAt: NOW,
        expiresAt: '',
        revokedAt: null,
      });
      await it.database.addRepo({ id: repo, name: 'shop' }, NOW);
      if (role !== undefined) await it.database.setRole({ repo, member: id, role });
      return { repo, member: id, token, now: NOW };
    };
    const refused = { code: 'forbidden' };

    test('migrations run once, whoever comes first, and the schema is checked', async () => {
      await it.database.prepare();
      await it.database.check();
      await it.other.check();
    });

    test('what is appended is read, listed and followed in its order, by others too', async () => {
      const access = await enter('anna', 'writer');
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));
      expect(await it.database.append(access, place(2), bytes, ANNA)).toEqual({
        position: 1,
        state: 'added',
      });
      expect(await it.other.append(access, place(1), Buffer.alloc(0), ANNA)).toEqual({
        position: 2,
        state: 'added',
      });
      for (const database of [it.database, it.other]) {
        expect((await database.read(access, place(2)))?.equals(bytes)).toBe(true);
        expect((await database.read(access, place(1)))?.length).toBe(0);
        expect(await database.read(access, place(3))).toBeUndefined();
        expect((await database.list(access)).map(({ seq }) => seq)).toEqual([1, 2]);
        expect(await database.follow(access, 0, 10)).toMatchObject([
          { seq: 2, position: 1, bytes: 70_000, gone: false },
          { seq: 1, position: 2, bytes: 0, gone: false },
        ]);
        expect(await database.follow(access, 1, 10)).toHaveLength(1);
        expect(await database.follow(access, 0, 1)).toHaveLength(1);
        expect(await database.head(access)).toEqual({ head: 2, removals: 0 });
        const bodies = async (most: number) =>
          (await database.follow(access, 0, 10, most)).map(({ body }) => body?.length);
        expect(await bodies(70_000)).toEqual([70_000, 0]);
        expect(await bodies(69_999)).toEqual([undefined, undefined]);
        expect((await database.follow(access, 0, 1, 70_000))[0]?.body?.equals(bytes)).toBe(true);
        const author = { device: hex('d'), member: access.member, memberName: 'anna' };
        expect(await database.authors(access, [hex('d'), hex('9')])).toEqual([author]);
        expect(await database.authors(access, [])).toEqual([]);
      }
      await it.database.append(access, place(1, { lane: 'bytes' }), Buffer.from('x'), ANNA);
      expect((await it.other.follow(access, 2, 10, 100))[0]?.body).toBeUndefined();
      expect(await it.other.authors(access)).toEqual([
        { device: hex('d'), member: access.member, memberName: 'anna' },
      ]);
    });

    test('what is added is in the audit log once, what is not is in none, deletions are counted', async () => {
      const access = await enter('anna', 'writer');
      await it.database.setRole({ repo: OTHER, member: access.member, role: 'writer' });
      const nowhere = { ...access, repo: OTHER };
      expect(await it.database.append(nowhere, place(1), Buffer.from('x'), ANNA)).toEqual({
        position: 0,
        state: 'nowhere',
      });
      for (let times = 0; times < 3; times++) await it.other.append(access, place(1), Buffer.from('x'), ANNA);
      expect(await it.database.audits({ limit: 10 })).toEqual([
        {
          ...{ at: NOW, member: 'anna', device: hex('d'), repo: REPO, action: 'push' },
          detail: `${hex('d')}/log/1-${hex('1')} 1`,
        },
      ]);
      for (let times = 0; times < 2; times++) await it.database.remove(access, place(1));
      expect(await it.other.head(access)).toEqual({ head: 1, removals: 1 });
      expect(await it.other.repos()).toEqual([{ id: REPO, name: 'shop', head: 1, removals: 1 }]);
    });

    test('the same segment sent many times at once, to two hubs, has one position', async () => {
      const access = await enter('anna', 'writer');
      const sent = Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? it.database : it.other).append(access, place(1 + (at % 8)), Buffer.from(`${at % 8}`), ANNA),
      );
      const positions = new Map<number, Set<number>>();
      for (const [at, { position }] of (await Promise.all(sent)).entries())
        positions.set(at % 8, (positions.get(at % 8) ?? new Set()).add(position));
      expect([...positions.values()].every((set) => set.size === 1)).toBe(true);
      expect([...positions.values()].flatMap((set) => [...set]).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await it.database.head(access)).head).toBe(8);
    });

    test('of many that are sent at once, those that are refused stop no other', async () => {
      const writer = await enter('anna', 'writer');
      const reader = await enter('ben', 'reader');
      const sent = Array.from({ length: 60 }, (_, at) => {
        const [access, device] = at % 10 === 5 ? [reader, hex('e')] : [writer, hex('d')];
        return it.database.append(access, place(at, { device }), Buffer.from(`${at}`), ANNA);
      });
      const answers = await Promise.allSettled(sent);
      const stored = answers.flatMap((answer, at) =>
        answer.status === 'fulfilled' ? [{ at, position: answer.value.position }] : [],
      );
      expect(stored.map(({ at }) => at)).toEqual(sent.map((_, at) => at).filter((at) => at % 10 !== 5));
      for (const answer of answers)
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refused);
      const followed = await it.other.follow(writer, 0, 100);
      expect(followed.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
      for (const { at, position } of stored) {
        expect(followed[position - 1]?.seq).toBe(at);
        expect((await it.other.read(writer, place(at)))?.toString()).toBe(`${at}`);
      }
    });

    test('what is deleted is gone, keeps its position, and does not come back', async () => {
      const access = await enter('anna', 'writer');
      await it.database.append(access, place(1), Buffer.from('secret'), ANNA);
      await it.database.append(access, place(2), Buffer.from('other'), ANNA);
      expect(await it.other.remove(access, place(1))).toBe(true);
      expect(await it.database.remove(access, place(1))).toBe(false);
      expect(await it.database.read(access, place(1))).toBeUndefined();
      expect((await it.database.list(access)).map(({ seq }) => seq)).toEqual([2]);
      expect(await it.database.append(access, place(1), Buffer.from('secret'), ANNA)).toEqual({
        position: 1,
        state: 'gone',
      });
      expect(await it.database.read(access, place(1))).toBeUndefined();
      expect(await it.database.follow(access, 0, 10)).toMatchObject([{ gone: true }, { gone: false }]);
    });

    test('nobody gets in without a role, with one of another repository, or with a token that is over', async () => {
      const writer = await enter('anna', 'writer');
      await it.database.append(writer, place(1), Buffer.from('x'), ANNA);
      const reader = await enter('ben', 'reader');
      const stranger = await enter('carl', undefined);
      const elsewhere = await enter('dora', 'admin', OTHER);
      const calls = (access: HubAccess) => [
        () => it.database.append(access, place(9), Buffer.from('y'), ANNA),
        () => it.database.remove(access, place(1)),
        () => it.database.head(access),
        () => it.database.follow(access, 0, 10),
        () => it.database.list(access),
        () => it.database.read(access, place(1)),
        () => it.database.authors(access),
      ];
      const none = [stranger, { ...elsewhere, repo: REPO }, { ...writer, token: hex('0') + hex('0') }];
      for (const access of [...none, { ...writer, member: stranger.member }])
        for (const call of calls(access)) await expect(call()).rejects.toMatchObject(refused);
      for (const call of calls(reader).slice(0, 2)) await expect(call()).rejects.toMatchObject(refused);
      expect(await it.database.list(reader)).toHaveLength(1);
      await it.database.revokeToken(reader.token, NOW);
      for (const call of calls(reader)) await expect(call()).rejects.toMatchObject(refused);
      await it.database.removeMember(writer.member, NOW);
      for (const call of calls(writer)) await expect(call()).rejects.toMatchObject(refused);
      expect(await it.database.findToken(writer.token, NOW)).toBeUndefined();
    });

    test('a role for every repository counts, a token ends at its time', async () => {
      const access = await enter('anna', undefined);
      await it.database.setRole({ repo: '*', member: access.member, role: 'writer' });
      await it.database.append(access, place(1), Buffer.from('x'), ANNA);
      const token = hex('f') + hex('f');
      await it.database.addToken({
        ...{ hash: token, member: access.member, device: '', label: 'ci' },
        ...{ createdAt: NOW, expiresAt: LATER, revokedAt: null },
      });
      expect((await it.database.head({ ...access, token })).head).toBe(1);
      expect(await it.database.findToken(token, NOW)).toMatchObject({ memberName: 'anna', label: 'ci' });
      await expect(it.database.head({ ...access, token, now: LATER })).rejects.toMatchObject(refused);
      expect(await it.database.findToken(token, LATER)).toBeUndefined();
    });

    test('only an admin works on the tables, with a token that holds, and all of it or nothing', async () => {
      const admin = await enter('anna', 'admin');
      const writer = await enter('ben', 'reviewer');
      const grant = (access: HubAccess) =>
        it.database.asAdmin(access, (tables) =>
          tables.setRole({ repo: REPO, member: writer.member, role: 'writer' }),
        );
      for (const access of [
        writer,
        { ...admin, repo: OTHER },
        { ...admin, repo: '*' },
        { ...admin, token: 'x' },
      ])
        await expect(grant(access)).rejects.toMatchObject(refused);
      await expect(
        it.database.asAdmin(admin, async (tables) => {
          await tables.removeMember(writer.member, NOW);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await it.other.roles(writer.member)).toMatchObject([{ role: 'reviewer' }]);
      await grant(admin);
      expect(await it.other.roles(writer.member)).toMatchObject([{ role: 'writer' }]);
      await it.other.revokeToken(admin.token, NOW);
      await expect(grant(admin)).rejects.toMatchObject(refused);
    });

    test('an invitation works once, in its time, for its member', async () => {
      const { member } = await enter('anna', 'reader');
      const invite = (hash: string) =>
        it.database.addInvitation({ hash, member, createdAt: NOW, expiresAt: LATER });
      await invite('one');
      const used = await Promise.all([
        it.database.useInvitation('one', NOW),
        it.other.useInvitation('one', NOW),
      ]);
      expect(used.filter((who) => who?.name === 'anna')).toHaveLength(1);
      expect(used.filter((who) => who === undefined)).toHaveLength(1);
      await invite('two');
      expect(await it.database.useInvitation('two', LATER)).toBeUndefined();
      await invite('three');
      expect(await it.database.useInvitation('two', NOW), 'a later one takes its place').toBeUndefined();
      await it.database.removeMember(member, NOW);
      expect(await it.database.useInvitation('three', NOW)).toBeUndefined();
    });

    test('members, settings, roles and the audit log are what was said last', async () => {
      const { member } = await enter('anna', 'reader');
      expect(await it.other.addMember({ id: 'x', name: 'anna', addedAt: NOW, removedAt: null })).toBe(false);
      expect(await it.database.setting('key', 'first')).toBe('first');
      expect(await it.other.setting('key', 'second')).toBe('first');
      await it.database.setRole({ repo: REPO, member, role: 'admin' });
      expect(await it.other.roles(member)).toEqual([{ repo: REPO, member, role: 'admin' }]);
      await it.database.removeRole(REPO, member);
      expect(await it.other.roles()).toEqual([]);
      const row = { at: NOW, member: 'anna', device: '', repo: REPO, action: 'grant', detail: 'admin' };
      await it.database.audit(row);
      await it.database.audit({ ...row, repo: OTHER, action: 'push' });
      expect((await it.other.audits({ limit: 10 })).map(({ action }) => action)).toEqual(['push', 'grant']);
      expect(await it.other.audits({ repo: REPO, limit: 10 })).toEqual([row]);
      await it.database.removeMember(member, LATER);
      expect(await it.database.members()).toMatchObject([{ id: member, removedAt: LATER }]);
      expect(await it.database.addMember({ id: 'x', name: 'anna', addedAt: NOW, removedAt: null })).toBe(
        true,
      );
    });
  });
}
