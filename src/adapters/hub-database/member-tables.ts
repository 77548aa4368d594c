import type {
  HubAudit,
  HubDevice,
  HubGrant,
  HubMember,
  HubRepo,
  HubTables,
  HubToken,
} from '../../ports/hub-database.ts';
import type { HubConnection, Row, Run } from './connection.ts';

const text = (row: Row, name: string) => String(row[name] ?? '');
/** Fields of a row, each with its column. */
const pick = <F extends string>(row: Row, columns: Record<F, string>) =>
  Object.fromEntries(
    Object.entries<string>(columns).map(([field, column]) => [field, text(row, column)]),
  ) as Record<F, string>;
const DEVICE = { id: 'id', member: 'member', publicKey: 'public_key', name: 'name', addedAt: 'added_at' };
const TOKEN = {
  ...{ hash: 'hash', member: 'member', device: 'device', label: 'label' },
  ...{ createdAt: 'created_at', expiresAt: 'expires_at' },
};
const GRANT = { repo: 'repo', member: 'member', role: 'role' };
const AUDIT = {
  ...{ at: 'at', member: 'member', device: 'device' },
  ...{ repo: 'repo', action: 'action', detail: 'detail' },
};
const orNull = (row: Row, name: string) => (typeof row[name] === 'string' ? (row[name] as string) : null);

/** The same tables inside a transaction that has begun. */
export function tablesInside(run: Run): HubTables {
  return memberTables({ run, begin: (work) => work(run) });
}

/** Members, devices, tokens, roles and the audit log: the same statements for every database. */
export function memberTables({ run, begin }: HubConnection): HubTables {
  return {
    setting: async (name, fresh) => {
      await run('insert into hub_setting (name, value) values ($1, $2) on conflict (name) do nothing', [
        name,
        fresh,
      ]);
      const [row] = await run('select value from hub_setting where name = $1', [name]);
      return text(row!, 'value');
    },
    addMember: async ({ id, name, addedAt }) => {
      const added = await run(
        'insert into member (id, name, added_at) values ($1, $2, $3) on conflict (name) do nothing returning id',
        [id, name, addedAt],
      );
      return added.length > 0;
    },
    members: async () => (await run('select * from member order by name')).map(toMember),
    removeMember: (id, at) =>
      begin(async (inside) => {
        // The name is free again, and what was done under it stays readable.
        await inside(
          "update member set removed_at = $2, name = name || ' (removed ' || $2 || ')' where id = $1 and removed_at is null",
          [id, at],
        );
        await inside('update token set revoked_at = $2 where member = $1 and revoked_at is null', [id, at]);
        await inside('delete from invitation where member = $1', [id]);
        await inside('delete from role where member = $1', [id]);
      }),
    addDevice: async ({ id, member, publicKey, name, addedAt }) => {
      await run(
        'insert into device (id, member, public_key, name, added_at) values ($1, $2, $3, $4, $5) on conflict (id) do nothing',
        [id, member, publicKey, name, addedAt],
      );
    },
    devices: async () =>
      (await run('select * from device order by added_at, id')).map((row): HubDevice => pick(row, DEVICE)),
    addToken: async ({ hash, member, device, label, createdAt, expiresAt }) => {
      await run(
        'insert into token (hash, member, device, label, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)',
        [hash, member, device, label, createdAt, expiresAt],
      );
    },
    tokens: async () => (await run('select * from token order by created_at, hash')).map(toToken),
    revokeToken: async (hash, at) => {
      await run('update token set revoked_at = $2 where hash = $1 and revoked_at is null', [hash, at]);
    },
    findToken: async (hash, now) => {
      const [row] = await run(
        "select t.*, m.name as member_name from token t join member m on m.id = t.member where t.hash = $1 and t.revoked_at is null and m.removed_at is null and (t.expires_at = '' or t.expires_at > $2)",
        [hash, now],
      );
      return row && { ...toToken(row), memberName: text(row, 'member_name') };
    },
    addInvitation: ({ hash, member, createdAt, expiresAt }) =>
      begin(async (inside) => {
        await inside('delete from invitation where member = $1', [member]);
        await inside(
          'insert into invitation (hash, member, created_at, expires_at) values ($1, $2, $3, $4)',
          [hash, member, createdAt, expiresAt],
        );
      }),
    useInvitation: (hash, now) =>
      begin(async (inside) => {
        const [used] = await inside(
          'delete from invitation where hash = $1 and expires_at > $2 returning member',
          [hash, now],
        );
        if (!used) return undefined;
        await inside('delete from invitation where member = $1', [text(used, 'member')]);
        const [row] = await inside('select * from member where id = $1 and removed_at is null', [
          text(used, 'member'),
        ]);
        return row && toMember(row);
      }),
    setRole: async ({ repo, member, role, isUnconfirmed }) => {
      await run(
        'insert into role (repo, member, role, unconfirmed) values ($1, $2, $3, $4) on conflict (repo, member) do update set role = excluded.role, unconfirmed = excluded.unconfirmed',
        [repo, member, role, isUnconfirmed ? 'yes' : ''],
      );
    },
    removeRole: async (repo, member) => {
      await run('delete from role where repo = $1 and member = $2', [repo, member]);
    },
    roles: async (member) =>
      (member === undefined
        ? await run('select * from role order by repo, member')
        : await run('select * from role where member = $1 order by repo', [member])
      ).map(toGrant),
    grantsIn: async (repo) =>
      (await run("select * from role where repo in ($1, '*') order by repo, member", [repo])).map(toGrant),
    audit: async ({ at, member, device, repo, action, detail }) => {
      await run(
        'insert into audit (at, member, device, repo, action, detail) values ($1, $2, $3, $4, $5, $6)',
        [at, member, device, repo, action, detail],
      );
    },
    audits: async ({ repo, limit }) =>
      (repo === undefined
        ? await run('select * from audit order by number desc limit $1', [limit])
        : await run('select * from audit where repo = $1 order by number desc limit $2', [repo, limit])
      ).map((row): HubAudit => pick(row, AUDIT)),
    repos: async () => (await run('select id, name, head, removals from repo order by id')).map(toRepo),
    addRepo: ({ id, name }, at, first) =>
      begin(async (inside) => {
        const added = await inside(
          'insert into repo (id, name, head, created_at) values ($1, $2, 0, $3) on conflict (id) do nothing returning id',
          [id, name, at],
        );
        if (added.length === 0) return 'known';
        if (first === undefined) return 'added';
        const given = await inside(
          "insert into role (repo, member, role, unconfirmed) select $1, $2, 'admin', 'yes' where not exists (select 1 from role where repo = $1) returning member",
          [id, first],
        );
        return given.length > 0 ? 'with its admin' : 'added';
      }),
  };
}

function toMember(row: Row): HubMember {
  const { id, name, added_at: addedAt } = row as Record<string, string>;
  return { id: id!, name: name!, addedAt: addedAt!, removedAt: orNull(row, 'removed_at') };
}

function toGrant(row: Row): HubGrant {
  return { ...pick(row, GRANT), ...(row.unconfirmed === '' ? {} : { isUnconfirmed: true }) };
}

function toToken(row: Row): HubToken {
  return { ...pick(row, TOKEN), revokedAt: orNull(row, 'revoked_at') };
}

function toRepo(row: Row): HubRepo {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    head: Number(row.head),
    removals: Number(row.removals),
  };
}
