import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { inviteMember, issueToken, setMemberRole } from '../../src/app/hub/members.ts';
import { secretHash } from '../../src/core/hub/hub-secret.ts';
import type { HubMembers } from '../../src/ports/hub-members.ts';
import { type TestHub, type TestMember, testHub, testMember } from '../made/hub-server.ts';
import { type PostgresServer, postgresServer } from '../made/postgres-server.ts';

const [REPO, OTHER] = ['a'.repeat(32), 'b'.repeat(32)];
let server: PostgresServer;
beforeAll(async () => {
  server = await postgresServer();
});
afterAll(() => server?.close());

describe.each(['SQLite', 'PostgreSQL'])('An admin of a repository on another machine, with %s', (kind) => {
  let hub: TestHub;
  let [anna, ben]: TestMember[] = [];
  let members: HubMembers;
  beforeEach(async () => {
    hub = await testHub(
      kind === 'SQLite' ? {} : { database: openPostgresHub(await server.newDatabase(), 4) },
    );
    [anna, ben] = [await testMember(hub, 'anna'), await testMember(hub, 'ben')];
    for (const [who, repo] of [
      [anna, REPO],
      [ben, OTHER],
    ] as const) {
      const { name, bytes } = who.seal(repo, 1, Buffer.from(`of ${who.name}`));
      await who.store.put(name, bytes);
    }
    await setMemberRole(hub.hub, { name: 'anna', repo: REPO, role: 'admin' });
    members = anna.store.members!;
    return () => hub.close();
  });
  const names = async (repo: string) => (await members.list(repo)).map(({ name }) => name);

  test('invites someone with a role, once, and sees the members and the audit log', async () => {
    const added = await members.add(REPO, { name: 'carla', role: 'writer' });
    expect(added).toMatchObject({ member: 'carla', isNew: true, role: 'writer' });
    expect(added.invitation).toMatch(/^ksi_/);
    expect(await names(REPO)).toEqual(['anna', 'carla']);
    expect((await members.list(REPO)).find(({ name }) => name === 'carla')).toMatchObject({
      roles: [{ repo: REPO, role: 'writer' }],
      devices: [],
      tokens: [],
    });
    // Lost: as long as nobody has joined by it, there is another one.
    expect((await members.add(REPO, { name: 'carla' })).invitation).toMatch(/^ksi_/);
    expect((await members.list(REPO)).find(({ name }) => name === 'carla')?.roles[0]?.role).toBe('writer');
    const rows = (await members.audit(REPO, 100)).map(({ member, action, detail }) => [
      member,
      action,
      detail,
    ]);
    for (const row of [
      ['anna', 'add member', 'carla'],
      ['anna', 'invite', 'carla'],
      ['anna', 'grant', 'carla writer'],
    ])
      expect(rows).toContainEqual(row);
    expect(rows.some(([member]) => member === 'ben')).toBe(false);
  });

  test('who is admin by sending it first invites nobody until an admin of the hub confirms it', async () => {
    const own = ben!.store.members!;
    await expect(own.add(OTHER, { name: 'eve', role: 'writer' })).rejects.toThrow(
      'sent this repository first',
    );
    await expect(own.setRole(OTHER, { name: 'anna', role: 'writer' })).rejects.toThrow('first');
    expect((await hub.hub.database.members()).some(({ name }) => name === 'eve')).toBe(false);
    await setMemberRole(hub.hub, { name: 'ben', repo: OTHER, role: 'admin' });
    expect(await own.setRole(OTHER, { name: 'anna', role: 'writer' })).toMatchObject({ role: 'writer' });
  });

  test('is neither who sends first what others have roles in, nor a writer who does', async () => {
    const asked = { name: 'ben', repo: 'github.com/acme/planned', role: 'writer' };
    const { repo: planned } = await setMemberRole(hub.hub, asked);
    const stranger = anna!.seal(planned, 2, Buffer.from('first'));
    await expect(anna!.store.put(stranger.name, stranger.bytes)).rejects.toThrow('role');
    const sent = ben!.seal(planned, 2, Buffer.from('second'));
    await ben!.store.put(sent.name, sent.bytes);
    expect((await hub.hub.database.grantsIn(planned)).map(({ role }) => role)).toEqual(['writer']);
    expect(await anna!.store.list(`r/${planned}/`)).toEqual([]);
  });

  test('has at most one invitation per person, and none for members that the operator added', async () => {
    const { invitation: kept } = await members.add(REPO, { name: 'carla', role: 'writer' });
    const { invitation: given } = await members.add(REPO, { name: 'carla' });
    const use = (text: string) =>
      hub.hub.database.useInvitation(secretHash('invitation', text)!, hub.hub.clock.now());
    expect(await use(kept!)).toBeUndefined();
    expect(await use(given!)).toMatchObject({ name: 'carla' });
    await inviteMember(hub.hub, 'dora');
    expect(await members.add(REPO, { name: 'dora' })).toMatchObject({ invitation: null });
  });

  test('is not directed to another repository by a name that its sender chose', async () => {
    await hub.hub.database.addRepo({ id: 'c'.repeat(32), name: REPO }, hub.hub.clock.now());
    await members.setRole(REPO, { name: 'ben', role: 'reader' });
    expect((await hub.hub.database.grantsIn('c'.repeat(32))).map(({ role }) => role)).toEqual([]);
  });

  test('gives a role to a known member, without an invitation that would act in their name', async () => {
    expect(await members.add(REPO, { name: 'ben', role: 'reviewer' })).toMatchObject({
      isNew: false,
      invitation: null,
      role: 'reviewer',
    });
    expect((await ben!.store.list(`r/${REPO}/`)).length).toBe(1);
    await members.setRole(REPO, { name: 'ben', role: 'reader' });
    expect((await members.list(REPO)).find(({ name }) => name === 'ben')?.roles).toEqual([
      { repo: REPO, name: '', role: 'reader' },
    ]);
    // Of someone else's repository nothing is shown.
    expect(JSON.stringify([await members.list(REPO), await members.audit(REPO, 100)])).not.toContain(OTHER);
    expect(await members.remove(REPO, 'ben')).toEqual({ member: 'ben' });
    expect(await ben!.store.list(`r/${REPO}/`)).toEqual([]);
    expect((await ben!.store.list(`r/${OTHER}/`)).length).toBe(1);
    await expect(members.remove(REPO, 'ben')).rejects.toThrow('no role');
  });

  test('gets no invitation for someone who was invited elsewhere', async () => {
    await inviteMember(hub.hub, 'dora');
    await setMemberRole(hub.hub, { name: 'dora', repo: 'github.com/other/one', role: 'admin' });
    expect(await members.add(REPO, { name: 'dora' })).toMatchObject({ invitation: null, role: 'reader' });
    await inviteMember(hub.hub, 'ci');
    await issueToken(hub.hub, { name: 'ci', days: 1 });
    expect(await members.add(REPO, { name: 'ci' })).toMatchObject({ invitation: null, role: 'reader' });
  });

  test('leaves no repository without an admin, and cannot use the names that the hub reserves', async () => {
    await expect(members.setRole(REPO, { name: 'anna', role: 'writer' })).rejects.toThrow('only admin');
    await expect(members.remove(REPO, 'anna')).rejects.toThrow('only admin');
    await members.add(REPO, { name: 'ben', role: 'admin' });
    await members.remove(REPO, 'anna');
    await expect(members.list(REPO)).rejects.toThrow('role');
    for (const name of ['operator', 'anna (removed 2026)', 'me', ' '])
      await expect(ben!.store.members!.add(REPO, { name })).rejects.toMatchObject({ code: 'remote' });
    await expect(ben!.store.members!.add(REPO, { name: 'eve', role: 'king' })).rejects.toThrow(
      'Unknown role',
    );
    // Both or neither: who got no role is no member.
    expect((await hub.hub.database.members()).some(({ name }) => name === 'eve')).toBe(false);
  });

  test('of all repositories can do what the operator can, and every step is in the audit log', async () => {
    const boss = await testMember(hub, 'boss', 'admin');
    const all = boss.store.members!;
    expect((await all.list('*')).map(({ name }) => name)).toEqual(['anna', 'ben', 'boss']);
    expect((await all.add('*', { name: 'anna' })).invitation).toMatch(/^ksi_/);
    await all.setRole('github.com/acme/new', { name: 'anna', role: 'writer' });
    const { token, label } = await all.issueToken({ name: 'anna', days: 2 });
    const asAnna = () =>
      fetch(`${hub.address}/v1/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ ok }) => ok);
    expect(await asAnna()).toBe(true);
    await all.revokeToken(label);
    expect(await asAnna()).toBe(false);
    await all.remove('*', 'ben');
    await expect(ben!.store.list('r/')).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(all.remove('*', 'boss')).rejects.toThrow('only admin');
    const rows = await all.audit('*', 100);
    const byBoss = rows.filter(({ member }) => member === 'boss').map(({ action }) => action);
    expect(new Set(byBoss)).toEqual(
      new Set(['join', 'invite', 'grant', 'token', 'revoke token', 'remove member']),
    );
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
