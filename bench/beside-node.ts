// Measures whole processes next to `node -e 0`, interleaved, so that a busy machine slows all of them equally.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, percentile } from './bench-table.ts';

/** `goal`: the highest acceptable multiple of `node -e 0`. */
export type Way = {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  input?: (round: number) => string;
  goal?: number;
  took?: (output: string, cpuMs: number) => void;
};

/** Writes a process's user and system time, with its threads, to a file. The baseline is measured with it, too. */
const USAGE =
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeFileSync(process.env.BENCH_USAGE, String(user + system)); });";

export const BESIDE_HEAD = ['median ms', 'p90 ms', 'wall', 'CPU ms', 'CPU', 'goal'];

/** One row per way, with the columns of `BESIDE_HEAD`. The first run is not counted: it fills caches for the later ones. */
export function besideNode(ways: Way[], rounds: number): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-usage-'));
  const [preload, usage] = [join(folder, 'usage.cjs'), join(folder, 'usage')];
  writeFileSync(preload, USAGE);
  const floor: Way = { name: 'node -e 0', args: ['-e', '0'], env: { PATH: process.env.PATH } };
  const all = [floor, ...ways].map((way) => ({ way, ms: [] as number[], cpu: [] as number[] }));
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { way, ms, cpu } of all) {
        const env = { ...way.env, BENCH_USAGE: usage };
        const input = way.input?.(round) ?? '';
        const start = performance.now();
        const ran = spawnSync(process.execPath, ['--require', preload, ...way.args], {
          env,
          input,
          encoding: 'utf8',
          ...(way.cwd === undefined ? {} : { cwd: way.cwd }),
        });
        const took = performance.now() - start;
        if (ran.status !== 0) throw new Error(`${way.name} ended with ${ran.status}: ${ran.stderr}`);
        if (round < 0) continue;
        ms.push(took);
        const used = Number(readFileSync(usage, 'utf8')) / 1000;
        cpu.push(used);
        way.took?.(ran.stdout, used);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const [bare] = all;
  return new Map(
    all.map(({ way, ms, cpu }) => [
      way.name,
      [
        median(ms).toFixed(1),
        percentile(ms, 90).toFixed(1),
        `${(median(ms) / median(bare!.ms)).toFixed(2)}x`,
        median(cpu).toFixed(1),
        `${(median(cpu) / median(bare!.cpu)).toFixed(2)}x`,
        way.goal === undefined ? '' : `${way.goal}x`,
      ],
    ]),
  );
}

/** `--beside=DIR`: another built checkout to measure in the same run. */
export function buildsIn(
  args: string[],
  own: string,
): { builds: [name: string, root: string][]; rest: string[] } {
  const other = args.find((arg) => arg.startsWith('--beside='))?.slice('--beside='.length);
  const builds: [string, string][] = [['', own]];
  if (other !== undefined) builds.push([', other build', other]);
  return { builds, rest: args.filter((arg) => !arg.startsWith('--beside=')) };
}
