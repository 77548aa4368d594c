// Push and pull of sessions next to `tar | zstd -3` and `cp`; bytes in the store; syncs with nothing to do; one more session; hooks.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { gitStore } from '../src/adapters/remote-git/git-store.ts';
import { s3Store } from '../src/adapters/remote-s3/s3-store.ts';
import { addRemote } from '../src/app/remote/add-remote.ts';
import { approveRemote, shareProjects } from '../src/app/remote/share.ts';
import { syncRemote } from '../src/app/remote/sync-remote.ts';
import { sync } from '../src/app/sync/sync.ts';
import type { RemoteStore } from '../src/ports/remotes.ts';
import { transcript } from '../test/made/conversation.ts';
import { s3Server } from '../test/made/s3-server.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, mebibytes, median, table } from './bench-table.ts';
import { BESIDE_HEAD, besideNode, type Way } from './beside-node.ts';

const ROUNDS = 15;
const ROOT = join(import.meta.dirname, '..');

export async function run([from]: string[]): Promise<void> {
  if (from === undefined)
    return console.log('Missing folder of sessions. Usage: npm run bench -- remotes DIR');
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-remotes-'));
  try {
    await measure(from, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measure(from: string, root: string): Promise<void> {
  const first = makeWorld(join(root, 'first'));
  await sync(first, { from: [from] });
  const originals = filesBelow(join(root, 'first', 'archive', 'projects')).filter((path) =>
    path.includes('/originals/'),
  );
  const plain = sum(originals.map((path) => statSync(path).size));
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  const perFile = sum(originals.map((path) => zstdCompressSync(readFileSync(path), { params }).length));
  console.log(
    `${originals.length} original files, ${mebibytes(plain)} MB; zstd -3 of each file ${mebibytes(perFile)} MB\n`,
  );
  const list = join(root, 'list');
  writeFileSync(list, originals.join('\n'));
  const tar = await timed(() =>
    execFileSync('sh', ['-c', `tar cf - -T ${list} 2>/dev/null | zstd -3 -q -o ${join(root, 'all.zst')}`]),
  );
  const copied = await timed(() =>
    cpSync(join(root, 'first', 'archive', 'projects'), join(root, 'copy'), { recursive: true }),
  );
  const store = join(root, 'store');
  const { key } = await addRemote(first, { address: store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  const push = await timed(() => syncRemote(first, 'home'));
  const sizes = (lane: string) =>
    sum(
      filesBelow(store)
        .filter((path) => path.includes(`/${lane}/`))
        .map((path) => statSync(path).size),
    );
  const second = makeWorld(join(root, 'second'));
  await addRemote(second, { address: store, key: key! });
  const pull = await timed(() => syncRemote(second, 'home'));
  const third = makeWorld(join(root, 'third'));
  await addRemote(third, { address: store, key: key!, light: true });
  const light = await timed(() => syncRemote(third, 'home'));
  const row = (name: string, took: Took, bytes: number) => [
    name,
    took.ms.toFixed(0),
    took.cpu.toFixed(0),
    mebibytes(bytes),
  ];
  table(
    ['', 'ms', 'CPU ms', 'MB'],
    [
      row('tar | zstd -3', tar, statSync(join(root, 'all.zst')).size),
      row('cp -r of the archive', copied, plain),
      row('push: masked, sealed, encrypted', push, sum(filesBelow(store).map((path) => statSync(path).size))),
      row('pull: checked, refined, facts', pull, sizes('bytes') + sizes('log') + sizes('talk')),
      row('light pull: log and talk', light, sizes('log') + sizes('talk')),
    ],
  );
  const [bytes, log, talk] = ['bytes', 'log', 'talk'].map(sizes) as [number, number, number];
  console.log(
    `\nstore: originals ${(bytes / perFile).toFixed(2)}x of zstd -3 per file; all lanes ${((bytes + log + talk) / perFile).toFixed(2)}x; talk ${((100 * talk) / bytes).toFixed(1)}% of the stored originals, ${((100 * talk) / plain).toFixed(1)}% of the plain ones\n`,
  );
  await oneMore(first, second);
  await quiet(first, root);
  hooks(root);
  for (const world of [first, second, third]) await world.remove();
}

type Took = { ms: number; cpu: number };

async function timed(work: () => unknown): Promise<Took> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpu: (user + system) / 1000 };
}

/** Sends one more short session from one machine's archive to the other's. */
async function oneMore(first: TestWorld, second: TestWorld): Promise<void> {
  const took: { push: number[]; pull: number[] } = { push: [], pull: [] };
  for (let round = 0; round < 5; round++) {
    const id = `${String(round).padStart(8, '0')}-1111-4111-8111-111111111111`;
    const folder = join(first.projects, '-srv-one-more');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${id}.jsonl`),
      transcript('/srv/one-more', id, [{ you: 'Hello.', agent: 'Hello.' }]),
    );
    await sync(first);
    if (round === 0) {
      await shareProjects(first, { all: true });
      await approveRemote(first);
    }
    took.push.push((await timed(() => syncRemote(first, 'home'))).ms);
    took.pull.push((await timed(() => syncRemote(second, 'home'))).ms);
  }
  console.log(
    `one more session: push ${median(took.push).toFixed(0)} ms, pull ${median(took.pull).toFixed(0)} ms (median of 5)`,
  );
}

/** Syncs with nothing to do, in this process; S3 and git use a separate remote with one small project. */
async function quiet(first: TestWorld, root: string): Promise<void> {
  const again = async (world: TestWorld, name: string) => {
    const list: Took[] = [];
    for (let round = 0; round < ROUNDS; round++) list.push(await timed(() => syncRemote(world, name)));
    return `${median(list.map(({ ms }) => ms)).toFixed(0)} ms, ${median(list.map(({ cpu }) => cpu)).toFixed(0)} ms of CPU`;
  };
  console.log(`nothing to do, a folder: ${await again(first, 'home')} in the process`);
  const server = await s3Server();
  const bare = join(root, 'memory.git');
  execFileSync('git', ['init', '-q', '--bare', bare]);
  const calls: string[] = [];
  const kinds: [string, () => RemoteStore][] = [
    ['S3', () => s3Store(server.address, server.access)],
    ['git', () => gitStore(`git+file://${bare}`, join(root, 'git-stores'), process.env)],
  ];
  for (const [kind, open] of kinds) {
    const world = makeWorld(join(root, kind));
    const folder = join(world.projects, '-srv-small');
    mkdirSync(folder, { recursive: true });
    const id = '00000000-2222-4222-8222-222222222222';
    writeFileSync(
      join(folder, `${id}.jsonl`),
      transcript('/srv/small', id, [{ you: 'Hello.', agent: 'Hello.' }]),
    );
    await sync(world);
    const remotes = await world.remotes!();
    const counted: TestWorld = {
      ...world,
      remotes: async () => ({ ...remotes, open: async () => counting(open(), calls) }),
    };
    await addRemote(counted, { address: join(root, `${kind}-place`) });
    await shareProjects(counted, { all: true });
    await approveRemote(counted);
    await syncRemote(counted, 'home');
    const took = await again(counted, 'home');
    calls.length = 0;
    await syncRemote(counted, 'home');
    console.log(`nothing to do, ${kind}: ${took}; calls of the store: ${calls.join(', ')}`);
    await world.remove();
  }
  await server.close();
}

function counting(store: RemoteStore, calls: string[]): RemoteStore {
  const counted =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A) => {
      calls.push(name);
      return call(...args);
    };
  return {
    ...store,
    list: counted('list', store.list),
    get: counted('get', store.get),
    put: counted('put', store.put),
    remove: counted('remove', store.remove),
  };
}

/** Hooks and syncs as whole processes, alternating: without a remote, with one, and with one that is unreachable. */
function hooks(root: string): void {
  const [none, gone, there] = ['none', 'gone', 'there'].map((name) => new Home(join(root, name))) as [
    Home,
    Home,
    Home,
  ];
  for (const home of [gone, there]) home.share();
  gone.keepsake('config', 'set', 'remote.auto', 'on');
  rmSync(gone.store, { recursive: true, force: true });
  writeFileSync(gone.store, 'no folder');
  const events = ['PostToolUse', 'Stop', 'SessionStart', 'UserPromptSubmit', 'SessionEnd'];
  const ways = [...events, 'sync'].flatMap((name) => [
    none.way(name, name),
    gone.way(name, `${name}, remote.auto remote unreachable`),
  ]);
  const quietSync = there.way('remote sync', 'remote sync of a folder, nothing to do');
  const rows = besideNode([...ways, quietSync], ROUNDS);
  console.log('\nwhole processes, in turns\n');
  table(
    ['', ...BESIDE_HEAD],
    [...rows].map(([name, row]) => [name, ...row]),
  );
  const [bare, quiet] = ['node -e 0', quietSync.name].map((name) => Number(rows.get(name)![3])) as [
    number,
    number,
  ];
  console.log(
    `\n\`keepsake remote sync\` of a folder with nothing to do: ${(quiet - bare).toFixed(0)} ms of CPU above node -e 0`,
  );
}

/** A home folder with one session and the built program. */
class Home {
  readonly store: string;
  readonly #cwd: string;
  readonly #live: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #id = 'aaaaaaaa-0000-4000-8000-000000000000';

  constructor(home: string) {
    this.store = join(home, 'store');
    this.#cwd = join(home, 'app');
    this.#env = { PATH: process.env.PATH, HOME: home };
    const projects = join(home, '.claude', 'projects', this.#cwd.replace(/[^A-Za-z0-9]/g, '-'));
    for (const folder of [this.#cwd, projects]) mkdirSync(folder, { recursive: true });
    this.#live = join(projects, `${this.#id}.jsonl`);
    const said = [{ you: 'From now on always run the linter.', agent: 'Yes.' }];
    writeFileSync(this.#live, transcript(this.#cwd, this.#id, said));
    this.keepsake('sync');
  }

  keepsake(...args: string[]): void {
    spawnSync(process.execPath, [join(ROOT, 'bin', 'keepsake'), ...args], {
      env: this.#env,
      cwd: this.#cwd,
    });
  }

  share(): void {
    this.keepsake('remote', 'add', this.store);
    this.keepsake('remote', 'share', '--all');
    this.keepsake('remote', 'approve');
    for (let round = 0; round < 2; round++) this.keepsake('remote', 'sync');
  }

  /** The name of a hook event, or a command. */
  way(what: string, name: string): Way {
    const [env, cwd] = [this.#env, this.#cwd];
    if (/^[a-z]/.test(what))
      return { name, env, cwd, args: [join(ROOT, 'bin', 'keepsake'), ...what.split(' ')] };
    const event = {
      session_id: this.#id,
      transcript_path: this.#live,
      cwd,
      hook_event_name: what,
      source: 'startup',
      prompt: 'Why the linter?',
    };
    const args = [join(ROOT, 'plugin', 'dist', 'hook.cjs')];
    return { name, env, cwd, args, input: () => JSON.stringify(event) };
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function sum(list: number[]): number {
  return list.reduce((total, it) => total + it, 0);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
