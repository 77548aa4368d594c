// Cold start: whole processes, interleaved so that a busy machine hurts all alike.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMain, median, percentile, table } from './bench-table.ts';

const ROUNDS = 30;
const KEEPSAKE = join(import.meta.dirname, '..', 'bin', 'keepsake');

export async function run(args: string[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const env = {
    ...process.env,
    HOME: home,
    CLAUDE_MEMORY_DIR: join(home, 'archive'),
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
  };
  const keepsake = (...command: string[]) => [KEEPSAKE, ...command];
  try {
    const folder = args[0] ?? join(import.meta.dirname, '..', 'sample', 'projects');
    spawnSync(process.execPath, keepsake('sync', '--from', folder), { env });
    const ways: [string, string[]][] = [
      ['node -e 0 (floor)', ['-e', '0']],
      ['keepsake --version', keepsake('--version')],
      ['keepsake --help', keepsake('--help')],
      ['keepsake sessions', keepsake('sessions')],
      ['keepsake sessions --json', keepsake('sessions', '--json')],
    ];
    const times = new Map(ways.map(([name]) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, command] of ways) {
        const start = performance.now();
        const { status } = spawnSync(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        if (status !== 0) throw new Error(`${name} ended with ${status}`);
        times.get(name)!.push(performance.now() - start);
      }
    }
    const floor = median(times.get('node -e 0 (floor)')!);
    console.log(`median of ${ROUNDS}, archive from ${args[0] ? 'the folder given' : 'the sample'}\n`);
    table(
      ['command', 'median ms', 'p90 ms', 'against the floor'],
      [...times].map(([name, list]) => [
        name,
        median(list).toFixed(1),
        percentile(list, 90).toFixed(1),
        `${(median(list) / floor).toFixed(2)}x`,
      ]),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
