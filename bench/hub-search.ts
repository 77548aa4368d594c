// Replicated sessions of a repository on a hub: time to build the index, and search times next to PostgreSQL's full-text search.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import postgres from 'postgres';
import { openPostgresHub } from '../src/adapters/hub-database/open-postgres-hub.ts';
import { secretHash } from '../src/core/hub/hub-secret.ts';
import { parseSegmentName } from '../src/core/remote/segment-name.ts';
import { type TestHub, type TestMember, testHub, testMember } from '../test/made/hub-server.ts';
import { postgresServer } from '../test/made/postgres-server.ts';
import { type Talk, talkLines, talkOf } from '../test/made/talk-lines.ts';
import { table } from './bench-table.ts';
import { copyOf } from './hub-repository.ts';

const REPO = 'a'.repeat(32);
const SIZES = [4368, 13_104];
const QUERIES = 30;
const ROUNDS = 3;
const WORDS = 4;
/** Number of sessions sent in parallel. */
const AT_ONCE = 16;

export async function searchBench(
  folders: readonly string[],
  sizes: readonly number[] = SIZES,
): Promise<void> {
  const talks: Talk[] = [];
  for (const folder of folders) if (existsSync(folder)) talks.push(...(await talkOf(folder)));
  if (talks.length === 0)
    return console.log('Missing folders of sessions. Usage: npm run bench -- hub search DIRS [SESSIONS]');
  const bytes = talks.reduce((sum, { text }) => sum + text.length, 0);
  console.log(`${talks.length} sessions, ${(bytes / 1e6).toFixed(1)} MB of talk, replicated with new words`);
  const server = await postgresServer();
  const rows: string[][] = [];
  try {
    for (const size of sizes) rows.push(...(await measure(await server.newDatabase(), talks, size)));
  } finally {
    await server.close();
  }
  table(['sessions', 'what', 'p50 ms', 'p95 ms', ''], rows);
}

async function measure(address: string, talks: readonly Talk[], size: number): Promise<string[][]> {
  const database = openPostgresHub(address, 4);
  const hub = await testHub({ database });
  const plain = postgres(address, { max: 2, onnotice: () => undefined });
  try {
    const member = await testMember(hub, 'anna', 'writer');
    await plain`create table talk (id integer primary key, words tsvector not null)`;
    await hub.hub.database.addRepo({ id: REPO, name: 'shop' }, new Date().toISOString());
    const access = await accessFor(hub, member);
    const send = async (at: number) => {
      const talk = copyOf(talks[at % talks.length]!, Math.floor(at / talks.length));
      const { name, bytes } = member.sealLines(REPO, at + 1, talkLines(talk, '-srv-shop'), { lane: 'talk' });
      await database.append(access(), parseSegmentName(name)!, bytes, { name: 'anna' });
      // A tsvector holds at most 1 MB.
      await plain`insert into talk values (${at}, to_tsvector('english', ${talk.text.slice(0, 400_000)}))`;
    };
    for (let at = 0; at < size; at += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, size - at) }, (_, more) => send(at + more)));
    console.log(`${size} sessions are on the hub`);
    await plain`create index on talk using gin (words)`;
    await plain`analyze talk`;
    const built = await firstSearch(hub, member);
    console.log(`their index is built: ${built.seconds} s, ${built.cpu} s of CPU`);
    const queries = queriesOf(talks);
    const ours = await times(queries, (words) => searchOnHub(hub, member, words.join(' ')));
    const any = await times(queries, (words) => fullText(plain, words, ' | '));
    const all = await times(queries, (words) => fullText(plain, words, ' & '));
    const row = (what: string, took: number[], more = '') => [
      ...[String(size), what, quantile(took, 0.5), quantile(took, 0.95), more],
    ];
    const rss = (process.memoryUsage.rss() / 1024 / 1024).toFixed(0);
    const built1 = `index built in ${built.seconds} s (${built.cpu} s of CPU); ${rss} MiB with the bench itself`;
    return [
      row('hub, by HTTP', ours, built1),
      row('PostgreSQL ts_rank_cd, any word', any),
      row('PostgreSQL ts_rank_cd, all words', all),
    ];
  } finally {
    await plain.end({ timeout: 2 });
    await hub.close();
  }
}

async function accessFor({ hub }: TestHub, { token }: TestMember) {
  const hash = secretHash('token', token)!;
  const { member } = (await hub.database.tokens()).find((it) => it.hash === hash)!;
  return () => ({ repo: REPO, member, token: hash, now: new Date().toISOString() });
}

/** Waits until the index is built; until then the hub answers with a retry. */
async function firstSearch(hub: TestHub, member: TestMember): Promise<{ seconds: string; cpu: string }> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  while ((await searchOnHub(hub, member, randomBytes(4).toString('hex'))) === 503)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const { user, system } = process.cpuUsage(before);
  return {
    seconds: ((performance.now() - started) / 1000).toFixed(1),
    cpu: ((user + system) / 1e6).toFixed(1),
  };
}

async function searchOnHub({ address }: TestHub, { token }: TestMember, query: string): Promise<number> {
  const place = `${address}/r/${REPO}/api/memory/search?limit=10&q=${encodeURIComponent(query)}`;
  const answer = await fetch(place, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  return answer.status;
}

async function fullText(sql: postgres.Sql, words: readonly string[], joined: string): Promise<void> {
  const query = words.join(joined);
  await sql`select id, ts_rank_cd(words, q) as rank from talk, to_tsquery('english', ${query}) q where words @@ q order by rank desc limit 10`;
}

/** Queries: the longest words that users typed in the first lines of sessions across the list. */
function queriesOf(talks: readonly Talk[]): string[][] {
  const step = Math.max(1, Math.floor(talks.length / QUERIES));
  return talks
    .filter((_, at) => at % step === 0)
    .slice(0, QUERIES)
    .map(({ text }) => {
      const said = text.split('\n').find((line) => line.includes('"role":"user"')) ?? text;
      const words = [...new Set(said.toLowerCase().match(/[a-z]{4,}/g) ?? ['none'])];
      return words.toSorted((a, b) => b.length - a.length).slice(0, WORDS);
    });
}

async function times(
  queries: readonly string[][],
  work: (words: string[]) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const words of queries) {
      const started = performance.now();
      await work(words);
      // The first round only warms up.
      if (round > 0) took.push(performance.now() - started);
    }
  return took.sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
