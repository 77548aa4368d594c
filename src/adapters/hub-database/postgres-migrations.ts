import type { Migration } from './connection.ts';
import { UNCONFIRMED_ADMINS } from './sqlite-migrations.ts';

/** Nothing of a repository is ever looked at beside another: any number of machines can share the partitions. */
const PARTITIONS = 16;

const partitions = Array.from(
  { length: PARTITIONS },
  (_, at) =>
    `create table segment_${at} partition of segment for values with (modulus ${PARTITIONS}, remainder ${at})`,
);

/** In order; one that was released is never changed. */
export const POSTGRES_MIGRATIONS: readonly Migration[] = [
  {
    name: 'members, repositories, segments',
    statements: [
      'create table hub_setting (name text primary key, value text not null)',
      'create table member (id text primary key, name text not null unique, added_at text not null, removed_at text)',
      'create table device (id text primary key, member text not null references member, public_key text not null, name text not null, added_at text not null)',
      'create table token (hash text primary key, member text not null references member, device text not null, label text not null, created_at text not null, expires_at text not null, revoked_at text)',
      'create table invitation (hash text primary key, member text not null references member, created_at text not null, expires_at text not null)',
      'create table repo (id text primary key, name text not null, head bigint not null, created_at text not null)',
      "create table role (repo text not null, member text not null references member, role text not null check (role in ('reader', 'writer', 'reviewer', 'admin')), primary key (repo, member))",
      'create table segment (repo text not null, position bigint not null, device text not null, lane text not null, seq integer not null, id text not null, bytes integer not null, body bytea, gone_at text, at text not null, primary key (repo, position), unique (repo, device, lane, seq, id)) partition by hash (repo)',
      // It is packed already.
      'alter table segment alter column body set storage external',
      ...partitions,
      'create table audit (number bigint generated always as identity primary key, at text not null, member text not null, device text not null, repo text not null, action text not null, detail text not null)',
      'create index audit_by_repo on audit (repo, number)',
    ],
  },
  {
    name: 'row security: the second fence behind the checks of the hub',
    statements: [
      `create function ks_rank() returns integer language sql stable as $$
        select coalesce(max(case r.role when 'admin' then 4 when 'reviewer' then 3 when 'writer' then 2 else 1 end), 0)
        from role r join member m on m.id = r.member join token t on t.member = m.id
        where r.member = current_setting('ks.member', true) and r.repo in (current_setting('ks.repo', true), '*')
          and m.removed_at is null and t.hash = current_setting('ks.token', true) and t.revoked_at is null
          and (t.expires_at = '' or t.expires_at > current_setting('ks.now', true)) $$`,
      `create function ks_enter(p_repo text, p_member text, p_token text, p_now text, p_lowest integer) returns void
        language plpgsql as $$ begin
          perform set_config('ks.repo', p_repo, true), set_config('ks.member', p_member, true),
            set_config('ks.token', p_token, true), set_config('ks.now', p_now, true);
          if ks_rank() < p_lowest then raise insufficient_privilege; end if;
        end $$`,
      'alter table segment enable row level security',
      // Of the owner, too: the hub is the owner.
      'alter table segment force row level security',
      "create policy segment_read on segment for select using (repo = current_setting('ks.repo', true) and (select ks_rank()) >= 1)",
      "create policy segment_add on segment for insert with check (repo = current_setting('ks.repo', true) and (select ks_rank()) >= 2)",
      "create policy segment_change on segment for update using (repo = current_setting('ks.repo', true) and (select ks_rank()) >= 2)",
      // Each partition can be addressed directly, and must not bypass the rules.
      ...partitions.flatMap((_, at) => [
        `alter table segment_${at} enable row level security`,
        `alter table segment_${at} force row level security`,
      ]),
      `create function ks_append(p_repo text, p_member text, p_token text, p_now text, p_device text, p_lane text, p_seq integer, p_id text, p_body bytea)
        returns table (o_position bigint, o_state text) language plpgsql as $$
        declare v_head bigint; v_position bigint; v_gone text;
        begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 2);
          select head into v_head from repo where repo.id = p_repo for update;
          if not found then raise insufficient_privilege; end if;
          select s.position, s.gone_at into v_position, v_gone from segment s
            where s.repo = p_repo and s.device = p_device and s.lane = p_lane and s.seq = p_seq and s.id = p_id;
          if found then
            return query select v_position, case when v_gone is null then 'known' else 'gone' end;
            return;
          end if;
          update repo set head = head + 1 where repo.id = p_repo;
          insert into segment (repo, device, lane, seq, id, position, bytes, body, at)
            values (p_repo, p_device, p_lane, p_seq, p_id, v_head + 1, length(p_body), p_body, p_now);
          return query select v_head + 1, 'added'::text;
        end $$`,
      `create function ks_head(p_repo text, p_member text, p_token text, p_now text) returns bigint
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 1);
          return (select head from repo where repo.id = p_repo);
        end $$`,
      `create function ks_follow(p_repo text, p_member text, p_token text, p_now text, p_after bigint, p_limit integer) returns setof segment
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 1);
          return query select * from segment s where s.repo = p_repo and s.position > p_after order by s.position limit p_limit;
        end $$`,
      `create function ks_list(p_repo text, p_member text, p_token text, p_now text)
        returns table (o_device text, o_lane text, o_seq integer, o_id text, o_position bigint, o_bytes integer)
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 1);
          return query select s.device, s.lane, s.seq, s.id, s.position, s.bytes from segment s
            where s.repo = p_repo and s.gone_at is null order by s.device, s.lane, s.seq, s.id;
        end $$`,
      `create function ks_read(p_repo text, p_member text, p_token text, p_now text, p_device text, p_lane text, p_seq integer, p_id text) returns bytea
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 1);
          return (select s.body from segment s where s.repo = p_repo and s.device = p_device and s.lane = p_lane and s.seq = p_seq and s.id = p_id and s.gone_at is null);
        end $$`,
      `create function ks_remove(p_repo text, p_member text, p_token text, p_now text, p_device text, p_lane text, p_seq integer, p_id text) returns boolean
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 2);
          update segment s set body = null, gone_at = p_now
            where s.repo = p_repo and s.device = p_device and s.lane = p_lane and s.seq = p_seq and s.id = p_id and s.gone_at is null;
          return found;
        end $$`,
      `create function ks_authors(p_repo text, p_member text, p_token text, p_now text) returns table (o_device text, o_member text, o_name text)
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 1);
          return query select d.id, m.id, m.name from device d join member m on m.id = d.member
            where d.id in (select distinct s.device from segment s where s.repo = p_repo) order by d.id;
        end $$`,
    ],
  },
  {
    name: 'appends with their audit row, counted deletions',
    statements: [
      'alter table repo add column removals bigint not null default 0',
      'drop function ks_append(text, text, text, text, text, text, integer, text, bytea)',
      // The row of the repository is locked first; a segment that is known already gives the position back.
      `create function ks_append(p_repo text, p_member text, p_token text, p_now text, p_device text, p_lane text, p_seq integer, p_id text, p_body bytea, p_name text)
        returns table (o_position bigint, o_state text) language plpgsql as $$
        declare v_head bigint; v_position bigint; v_gone text;
        begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 2);
          update repo set head = head + 1 where repo.id = p_repo returning head into v_head;
          if not found then return query select 0::bigint, 'nowhere'::text; return; end if;
          insert into segment (repo, device, lane, seq, id, position, bytes, body, at)
            values (p_repo, p_device, p_lane, p_seq, p_id, v_head, length(p_body), p_body, p_now)
            on conflict (repo, device, lane, seq, id) do nothing;
          if found then
            insert into audit (at, member, device, repo, action, detail) values (p_now, p_name, p_device, p_repo, 'push',
              p_device || '/' || p_lane || '/' || p_seq || '-' || p_id || ' ' || length(p_body));
            return query select v_head, 'added'::text;
            return;
          end if;
          update repo set head = head - 1 where repo.id = p_repo;
          select s.position, s.gone_at into v_position, v_gone from segment s
            where s.repo = p_repo and s.device = p_device and s.lane = p_lane and s.seq = p_seq and s.id = p_id;
          return query select v_position, case when v_gone is null then 'known' else 'gone' end;
        end $$`,
      'drop function ks_head(text, text, text, text)',
      `create function ks_head(p_repo text, p_member text, p_token text, p_now text) returns table (o_head bigint, o_removals bigint)
        language plpgsql as $$ begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 1);
          return query select head, removals from repo where repo.id = p_repo;
        end $$`,
      `create or replace function ks_remove(p_repo text, p_member text, p_token text, p_now text, p_device text, p_lane text, p_seq integer, p_id text) returns boolean
        language plpgsql as $$ declare v_found boolean; begin
          perform ks_enter(p_repo, p_member, p_token, p_now, 2);
          update segment s set body = null, gone_at = p_now
            where s.repo = p_repo and s.device = p_device and s.lane = p_lane and s.seq = p_seq and s.id = p_id and s.gone_at is null;
          v_found := found;
          if v_found then update repo set removals = removals + 1 where repo.id = p_repo; end if;
          return v_found;
        end $$`,
    ],
  },
  {
    // PostgreSQL before 18 plans a function in SQL again with every call: a third of the work of an append.
    name: 'ranks with a plan that is kept',
    statements: [
      `create or replace function ks_rank() returns integer language plpgsql stable as $$ begin return (
        select coalesce(max(case r.role when 'admin' then 4 when 'reviewer' then 3 when 'writer' then 2 else 1 end), 0)
        from role r join member m on m.id = r.member join token t on t.member = m.id
        where r.member = current_setting('ks.member', true) and r.repo in (current_setting('ks.repo', true), '*')
          and m.removed_at is null and t.hash = current_setting('ks.token', true) and t.revoked_at is null
          and (t.expires_at = '' or t.expires_at > current_setting('ks.now', true))
      ); end $$`,
    ],
  },
  UNCONFIRMED_ADMINS,
  {
    name: 'appends that ask for the rank once',
    statements: [
      'drop function ks_append(text, text, text, text, text, text, integer, text, bytea, text)',
      // The row of the repository is locked first. Row security refuses inserts without the right to write; the other ways check the rank.
      `create function ks_append(p_repo text, p_member text, p_token text, p_now text, p_device text, p_lane text, p_seq integer, p_id text, p_body bytea, p_name text,
        out o_position bigint, out o_state text) language plpgsql as $$
        begin
          perform set_config('ks.repo', p_repo, true), set_config('ks.member', p_member, true),
            set_config('ks.token', p_token, true), set_config('ks.now', p_now, true);
          update repo set head = head + 1 where repo.id = p_repo returning head into o_position;
          if found then
            insert into segment (repo, device, lane, seq, id, position, bytes, body, at)
              values (p_repo, p_device, p_lane, p_seq, p_id, o_position, length(p_body), p_body, p_now)
              on conflict do nothing;
            if found then
              insert into audit (at, member, device, repo, action, detail) values (p_now, p_name, p_device, p_repo, 'push',
                p_device || '/' || p_lane || '/' || p_seq || '-' || p_id || ' ' || length(p_body));
              o_state := 'added';
              return;
            end if;
          end if;
          if ks_rank() < 2 then raise insufficient_privilege; end if;
          if o_position is null then o_position := 0; o_state := 'nowhere'; return; end if;
          update repo set head = head - 1 where repo.id = p_repo;
          select s.position, case when s.gone_at is null then 'known' else 'gone' end into o_position, o_state from segment s
            where s.repo = p_repo and s.device = p_device and s.lane = p_lane and s.seq = p_seq and s.id = p_id;
          if not found then raise unique_violation; end if;
        end $$`,
    ],
  },
];
