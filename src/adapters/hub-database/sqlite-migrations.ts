import type { Migration } from './connection.ts';

/** The same for every database. */
export const UNCONFIRMED_ADMINS = {
  name: 'admins whom nobody has confirmed',
  statements: [
    // Who sent a repository first is its admin; that nobody else said so counts for repositories of before, too.
    "alter table role add column unconfirmed text not null default ''",
    "update role set unconfirmed = 'yes' where role = 'admin' and exists (select 1 from audit a join member m on m.name = a.member where m.id = role.member and a.repo = role.repo and a.action = 'grant' and a.detail = m.name || ' admin (created it)')",
  ],
};

/** In order; one that was released is never changed. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [
  {
    name: 'members, repositories, segments',
    statements: [
      'create table hub_setting (name text primary key, value text not null)',
      'create table member (id text primary key, name text not null unique, added_at text not null, removed_at text)',
      'create table device (id text primary key, member text not null references member, public_key text not null, name text not null, added_at text not null)',
      'create table token (hash text primary key, member text not null references member, device text not null, label text not null, created_at text not null, expires_at text not null, revoked_at text)',
      'create table invitation (hash text primary key, member text not null references member, created_at text not null, expires_at text not null)',
      'create table repo (id text primary key, name text not null, head integer not null, created_at text not null)',
      "create table role (repo text not null, member text not null references member, role text not null check (role in ('reader', 'writer', 'reviewer', 'admin')), primary key (repo, member))",
      'create table segment (repo text not null references repo, position integer not null, device text not null, lane text not null, seq integer not null, id text not null, bytes integer not null, body blob, gone_at text, at text not null, primary key (repo, position), unique (repo, device, lane, seq, id))',
      'create table audit (number integer primary key autoincrement, at text not null, member text not null, device text not null, repo text not null, action text not null, detail text not null)',
      'create index audit_by_repo on audit (repo, number)',
    ],
  },
  {
    name: 'counted deletions',
    statements: ['alter table repo add column removals integer not null default 0'],
  },
  UNCONFIRMED_ADMINS,
];
