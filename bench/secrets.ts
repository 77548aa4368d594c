// Sends made-up secrets of every kind and place through the whole built program, and counts those left in what it derives.
import { redact } from '../src/core/text/redact.ts';
import { isMain, table } from './bench-table.ts';
import { LeakFinder } from './secrets/leak-finder.ts';
import { secretTranscript } from './secrets/made-transcript.ts';
import { KINDS, type Planted, plantedSecrets } from './secrets/planted.ts';
import { ProductRun } from './secrets/product-run.ts';
import type { SecretKind } from './secrets/secret-kind.ts';
import { UNSEEN_KINDS } from './secrets/unseen-kinds.ts';

const SEED = 24;
const ALL = 2000;
const PER_SESSION = 40;
/** Number of sessions with versions and pages. */
const LOOKED_AT = 12;
const WHERE = [
  ...['L1', 'layers', 'index', 'memory files', 'versions', 'compositions', 'journal', 'exports'],
  ...['hook output', 'HTTP answers', 'page', 'commands', 'logs', 'cache', 'manifests'],
];

/** `npm run bench -- secrets [all] [--kinds]`: one secret of each kind, or 2,000. `--kinds` lists every kind that leaked. `--alone` tests only the redaction, in seconds; `--unseen` does this with kinds that the rules were not made for. */
export async function run(args: string[]): Promise<void> {
  if (args.includes('--alone')) return redactAlone();
  if (args.includes('--unseen')) return redactUnseen(args.includes('--kinds'));
  const secrets = args.includes('all') ? ALL : KINDS.length;
  const planted = plantedSecrets(secrets, SEED);
  const product = new ProductRun();
  try {
    const sessions = writeSessions(product, planted);
    await use(product, sessions);
    report(planted, leaksOf(product, planted), args.includes('--kinds'));
    console.log(
      `\n${secrets} secrets of ${KINDS.length} kinds in 8 places each, ${sessions.length} sessions, seed ${SEED}`,
    );
  } finally {
    product.close();
  }
}

/** Tests two secrets of each kind with the redaction alone, without other hints in a session. */
function redactAlone(): void {
  const planted = plantedSecrets(2 * KINDS.length, SEED);
  const left = planted.filter(({ value, text }) => redact(text).text.includes(value));
  const byKind = Map.groupBy(left, ({ kind }) => kind.name);
  for (const [name, some] of byKind) console.log(`${name}: ${some.length} of 16, ${some[0]!.place}`);
  const gone = (100 - (100 * left.length) / planted.length).toFixed(2);
  console.log(`${planted.length} values of ${KINDS.length} kinds: ${gone}% masked, seed ${SEED}`);
}

/** Three secrets of each kind, by what the value shows and by whether the rules were made with it in view. */
function redactUnseen(listed: boolean): void {
  const planted = plantedSecrets(3 * UNSEEN_KINDS.length, SEED, UNSEEN_KINDS);
  const heldBack = new Set<SecretKind>(UNSEEN_KINDS.filter((kind) => kind.heldBack));
  const groups = Map.groupBy(
    planted,
    ({ kind }) => `${heldBack.has(kind) ? 'held back' : 'in view'}|${kind.sort}`,
  );
  const isLeft = ({ value, text }: Planted) => redact(text).text.includes(value);
  table(
    ['kinds', 'sort', 'values', 'masked'],
    [...groups].map(([key, some]) => [
      ...key.split('|'),
      String(some.length),
      `${(100 - (100 * some.filter(isLeft).length) / some.length).toFixed(2)}%`,
    ]),
  );
  const names = new Set(planted.filter(isLeft).map(({ kind }) => kind.name));
  console.log(`${names.size} of ${UNSEEN_KINDS.length} kinds leaked somewhere`);
  if (listed) for (const name of names) console.log(`  ${name}`);
}

function writeSessions(product: ProductRun, planted: readonly Planted[]): string[] {
  // Neighbors in the list differ by one letter of their place; a stride mixes kinds and speakers.
  const mixed = planted.map((_, n) => planted[(n * 7919) % planted.length]!);
  const sessions: string[] = [];
  for (let from = 0; from < mixed.length; from += PER_SESSION) {
    const id = `${String(sessions.length).padStart(8, '0')}-2424-4242-8242-242424242424`;
    product.write(id, secretTranscript(product.cwd, id, mixed.slice(from, from + PER_SESSION)));
    sessions.push(id);
  }
  return sessions;
}

async function use(product: ProductRun, sessions: readonly string[]): Promise<void> {
  product.keepsake('sync');
  const some = sessions.slice(0, LOOKED_AT);
  for (const id of some) {
    product.keepsake('compress', id, '--level', 'light', '--force');
    product.keepsake('summarize', id, '--yes');
    product.keepsake('memory', 'final', id);
    product.keepsake('show', id, '--messages');
  }
  product.keepsake('synthesize', '--yes');
  product.keepsake(
    'compose',
    'all',
    '--budget',
    '60000',
    '--sessions',
    some.map((id) => `${id}:original`).join(','),
  );
  product.keepsake('export');
  product.keepsake('recall', 'release login password');
  product.hooks(sessions.at(-1)!);
  await product.served(some, PER_SESSION * 3);
}

/** Fails if a place was empty: it would count as clean. */
function checkLooked(looked: Map<string, number>): void {
  for (const where of WHERE) {
    const characters = looked.get(where) ?? 0;
    console.log(`checked ${characters} characters of ${where}${characters === 0 ? ': NOTHING THERE' : ''}`);
  }
}

function leaksOf(product: ProductRun, planted: readonly Planted[]): Map<string, Set<number>> {
  const looked = new Map<string, number>();
  const finder = new LeakFinder(planted);
  const leaks = new Map(WHERE.map((where) => [where, new Set<number>()]));
  for (const { where, text } of product.derived()) {
    looked.set(where, (looked.get(where) ?? 0) + text.length);
    finder.find(text, leaks.get(where)!);
  }
  checkLooked(looked);
  return leaks;
}

function report(planted: readonly Planted[], leaks: Map<string, Set<number>>, listed: boolean): void {
  const anywhere = new Set([...leaks.values()].flatMap((set) => [...set]));
  const share = (left: number, of: number) => `${(100 - (100 * left) / of).toFixed(2)}%`;
  table(
    ['derived', 'values left', 'gone'],
    [...leaks, ['anywhere', anywhere] as const].map(([where, set]) => [
      where,
      String(set.size),
      share(set.size, planted.length),
    ]),
  );
  const groups = new Map<string, [left: number, all: number]>();
  planted.forEach(({ kind, place }, n) => {
    const key = `${kind.sort}|${place}`;
    const [left, all] = groups.get(key) ?? [0, 0];
    groups.set(key, [left + (anywhere.has(n) ? 1 : 0), all + 1]);
  });
  console.log('');
  table(
    ['sort', 'place', 'planted', 'left', 'gone'],
    [...groups].map(([key, [left, all]]) => [...key.split('|'), String(all), String(left), share(left, all)]),
  );
  const kinds = new Map<string, Set<string>>();
  for (const n of anywhere) {
    const { kind, place } = planted[n]!;
    kinds.set(kind.name, (kinds.get(kind.name) ?? new Set()).add(place));
  }
  console.log(`\n${kinds.size} of ${KINDS.length} kinds leaked somewhere`);
  if (listed) for (const [name, places] of kinds) console.log(`  ${name}: ${[...places].join(', ')}`);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
