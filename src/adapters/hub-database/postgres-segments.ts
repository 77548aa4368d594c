import type { Appended, HubAccess, HubDatabase, HubSegment, HubTables } from '../../ports/hub-database.ts';
import { appendTogether } from './append-together.ts';
import type { HubConnection, Row, Run } from './connection.ts';
import { tablesInside } from './member-tables.ts';

type SegmentCalls = Omit<HubDatabase, keyof HubTables | 'prepare' | 'check' | 'close'>;

const entry = ({ repo, member, token, now }: HubAccess) => [repo, member, token, now];

/** A function of the database each: one way there and back, under the rules of its row security. */
export function postgresSegments({ run, begin }: HubConnection): SegmentCalls {
  const append = appendTogether(async (appends) => {
    const [first] = appends;
    if (first && appends.length === 1) return [await appendOne(run, first.values)];
    // Sent one after the other without waiting for answers in between.
    return begin((inside) => Promise.all(appends.map(({ values }) => appendOne(inside, values))));
  });
  return {
    asAdmin: (access, work) =>
      begin(async (inside) => {
        // One at a time: two admins who remove each other would both find one left.
        await inside('lock table role in share row exclusive mode', []);
        await inside('select ks_enter($1, $2, $3, $4, 4)', entry(access));
        return work(tablesInside(inside));
      }),
    append: (access, { device, lane, seq, id }, bytes, { name }) =>
      append({
        repo: access.repo,
        values: [...entry(access), device, lane, seq, id, bytes, name],
        bytes: bytes.length,
      }),
    head: async (access) => {
      const [row] = await run('select * from ks_head($1, $2, $3, $4)', entry(access));
      return { head: Number(row?.o_head ?? 0), removals: Number(row?.o_removals ?? 0) };
    },
    follow: async (access, after, limit, mostBytes = 0) => {
      const body =
        mostBytes > 0
          ? ", case when lane <> 'bytes' and sum(bytes) over (order by position) <= $7 then body end as body"
          : '';
      const rows = await run(
        `select device, lane, seq, id, position, bytes, gone_at${body} from ks_follow($1, $2, $3, $4, $5, $6)`,
        [...entry(access), after, limit, ...(mostBytes > 0 ? [mostBytes] : [])],
      );
      return rows.map((row) => {
        const segment = toSegment(row, row.gone_at !== null);
        return Buffer.isBuffer(row.body) ? { ...segment, body: row.body } : segment;
      });
    },
    list: async (access) => {
      const rows = await run(
        'select o_device as device, o_lane as lane, o_seq as seq, o_id as id, o_position as position, o_bytes as bytes from ks_list($1, $2, $3, $4)',
        entry(access),
      );
      return rows.map((row) => toSegment(row, false));
    },
    read: async (access, { device, lane, seq, id }) => {
      const [row] = await run('select ks_read($1, $2, $3, $4, $5, $6, $7, $8) as body', [
        ...entry(access),
        device,
        lane,
        seq,
        id,
      ]);
      return row?.body === null || row === undefined ? undefined : (row.body as Buffer);
    },
    remove: async (access, { device, lane, seq, id }) => {
      const [row] = await run('select ks_remove($1, $2, $3, $4, $5, $6, $7, $8) as removed', [
        ...entry(access),
        device,
        lane,
        seq,
        id,
      ]);
      return row?.removed === true;
    },
    authors: async (access, devices) => {
      const rows =
        devices === undefined
          ? await run('select * from ks_authors($1, $2, $3, $4)', entry(access))
          : await run(
              "select d.id as o_device, m.id as o_member, m.name as o_name from device d join member m on m.id = d.member where d.id = any(string_to_array($1, ',')) order by d.id",
              [devices.join(',')],
            );
      return rows.map((row) => ({
        device: String(row.o_device),
        member: String(row.o_member),
        memberName: String(row.o_name),
      }));
    },
  };
}

async function appendOne(run: Run, values: readonly unknown[]): Promise<Appended> {
  const [row] = await run('select * from ks_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', values);
  return { position: Number(row!.o_position), state: row!.o_state as Appended['state'] };
}

function toSegment(row: Row, gone: boolean): HubSegment {
  return {
    device: String(row.device),
    lane: String(row.lane),
    seq: Number(row.seq),
    id: String(row.id),
    position: Number(row.position),
    bytes: Number(row.bytes),
    gone,
  };
}
