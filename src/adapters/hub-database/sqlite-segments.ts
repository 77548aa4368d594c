import { Fault } from '../../core/model/fault.ts';
import type { HubAccess, HubDatabase, HubSegment, HubTables } from '../../ports/hub-database.ts';
import type { HubConnection, Row, Run } from './connection.ts';
import { tablesInside } from './member-tables.ts';

type SegmentCalls = Omit<HubDatabase, keyof HubTables | 'prepare' | 'check' | 'close'>;

const PLACE = 'repo = $1 and device = $2 and lane = $3 and seq = $4 and id = $5';
const COLUMNS = 'device, lane, seq, id, position, bytes, gone_at';
const [READ, WRITE, MANAGE] = [1, 2, 4];

/** `emptied`: something was deleted and must not stay in the log of the database. */
export function sqliteSegments({ begin }: HubConnection, emptied: () => void): SegmentCalls {
  const as = <T>(access: HubAccess, lowest: number, work: (run: Run) => Promise<T>): Promise<T> =>
    begin(async (run) => {
      if ((await rank(run, access)) < lowest) throw refusedAccess();
      return work(run);
    });
  return {
    asAdmin: (access, work) => as(access, MANAGE, (run) => work(tablesInside(run))),
    append: (access, { device, lane, seq, id }, bytes, { name }) =>
      as(access, WRITE, async (run) => {
        const place = [access.repo, device, lane, seq, id];
        const [known] = await run(`select position, gone_at from segment where ${PLACE}`, place);
        if (known)
          return { position: Number(known.position), state: known.gone_at === null ? 'known' : 'gone' };
        const [row] = await run('update repo set head = head + 1 where id = $1 returning head', [
          access.repo,
        ]);
        if (!row) return { position: 0, state: 'nowhere' };
        await run(
          'insert into segment (repo, device, lane, seq, id, position, bytes, body, at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
          [...place, row.head, bytes.length, bytes, access.now],
        );
        await run(
          "insert into audit (at, member, device, repo, action, detail) values ($1, $2, $3, $4, 'push', $5)",
          [access.now, name, device, access.repo, `${device}/${lane}/${seq}-${id} ${bytes.length}`],
        );
        return { position: Number(row.head), state: 'added' };
      }),
    head: (access) =>
      as(access, READ, async (run) => {
        const [row] = await run('select head, removals from repo where id = $1', [access.repo]);
        return { head: Number(row?.head ?? 0), removals: Number(row?.removals ?? 0) };
      }),
    follow: (access, after, limit, mostBytes = 0) =>
      as(access, READ, async (run) => {
        const body = `case when lane <> 'bytes' and sum(bytes) over (order by position) <= $4 then body end as body`;
        const rows = await run(
          `select ${COLUMNS}, ${body} from segment where repo = $1 and position > $2 order by position limit $3`,
          [access.repo, after, limit, mostBytes],
        );
        return rows.map((row) => {
          const segment = toSegment(row);
          return row.body === null ? segment : { ...segment, body: Buffer.from(row.body as Uint8Array) };
        });
      }),
    list: (access) =>
      as(access, READ, async (run) => {
        const rows = await run(
          `select ${COLUMNS} from segment where repo = $1 and gone_at is null order by device, lane, seq, id`,
          [access.repo],
        );
        return rows.map(toSegment);
      }),
    read: (access, { device, lane, seq, id }) =>
      as(access, READ, async (run) => {
        const [row] = await run(`select body from segment where ${PLACE} and gone_at is null`, [
          access.repo,
          device,
          lane,
          seq,
          id,
        ]);
        return row && Buffer.from(row.body as Uint8Array);
      }),
    remove: async (access, { device, lane, seq, id }) => {
      const removed = await as(access, WRITE, async (run) => {
        const rows = await run(
          `update segment set body = null, gone_at = $6 where ${PLACE} and gone_at is null returning position`,
          [access.repo, device, lane, seq, id, access.now],
        );
        if (rows.length > 0)
          await run('update repo set removals = removals + 1 where id = $1', [access.repo]);
        return rows;
      });
      if (removed.length > 0) emptied();
      return removed.length > 0;
    },
    authors: (access, devices) =>
      as(access, READ, async (run) => {
        const [ids, value] =
          devices === undefined
            ? ['select distinct device from segment where repo = $1', access.repo]
            : ['select value from json_each($1)', JSON.stringify(devices)];
        const rows = await run(
          `select d.id as device, m.id as member, m.name as member_name from device d join member m on m.id = d.member where d.id in (${ids}) order by d.id`,
          [value],
        );
        return rows.map((row) => ({
          device: String(row.device),
          member: String(row.member),
          memberName: String(row.member_name),
        }));
      }),
  };
}

async function rank(run: Run, { repo, member, token, now }: HubAccess): Promise<number> {
  const [row] = await run(
    "select max(case r.role when 'admin' then 4 when 'reviewer' then 3 when 'writer' then 2 else 1 end) as rank from role r join member m on m.id = r.member join token t on t.member = m.id where r.member = $1 and r.repo in ($2, '*') and m.removed_at is null and t.hash = $3 and t.revoked_at is null and (t.expires_at = '' or t.expires_at > $4)",
    [member, repo, token, now],
  );
  return Number(row?.rank ?? 0);
}

function toSegment(row: Row): HubSegment {
  return {
    device: String(row.device),
    lane: String(row.lane),
    seq: Number(row.seq),
    id: String(row.id),
    position: Number(row.position),
    bytes: Number(row.bytes),
    gone: row.gone_at !== null,
  };
}

function refusedAccess(): Fault {
  return new Fault('forbidden', 'The role of this member does not allow this in this repository.', {
    hint: 'Ask an admin of the repository or of the hub for a role.',
  });
}
