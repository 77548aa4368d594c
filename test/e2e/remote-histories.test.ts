import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyOf, chance } from '../faults/chance.ts';
import { SimStore } from '../made/sim-store.ts';
import { workSession } from '../made/work.ts';
import { builtCli, COMPILED, LAUNCHER } from './built-cli.ts';
import { runProgram } from './program-run.ts';

const HISTORIES = 10;
const STEPS = 6;
const MOST_ROUNDS = 6;
const DIE_AT = join(import.meta.dirname, '..', 'faults', 'die-at.ts');
const PROGRAM = join(LAUNCHER, '..', '..', 'dist', 'cli.cjs');
const NAMES = ['a', 'b'] as const;

const root = mkdtempSync(join(tmpdir(), 'keepsake-histories-'));
const [place, template] = [join(root, 'now'), join(root, 'template')];
const store = join(place, 'store');
let cleanUp: () => void;
beforeAll(() => {
  cleanUp = builtCli();
  let key = '';
  for (const name of NAMES) {
    mkdirSync(join(shop(name), '.git'), { recursive: true });
    writeFileSync(join(shop(name), '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(shop(name), '.git', 'config'),
      '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
    );
    say(name, `first${name}x`);
    run(name, ['sync']);
    const added = run(name, ['remote', 'add', store, '--json', ...(key === '' ? [] : ['--key', key])]);
    key ||= JSON.parse(added.stdout).key;
    for (const args of [['share', '--all'], ['approve'], ['sync']]) run(name, ['remote', ...args]);
  }
  cpSync(place, template, { recursive: true });
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  cleanUp?.();
});

const home = (name: string) => join(place, name);
const shop = (name: string) => join(home(name), 'shop');
const archive = (name: string) => join(home(name), '.claude-memory');

/** The program on a machine; with a number it is killed at so many of its writes. */
function run(name: string, args: string[], dieAt = 0): { isDone: boolean; stdout: string } {
  const place = {
    cwd: shop(name),
    env: {
      PATH: process.env.PATH,
      HOME: home(name),
      CLAUDE_MEMORY_DIR: archive(name),
      KEEPSAKE_DIE_AT: String(dieAt),
      NODE_COMPILE_CACHE: COMPILED,
      TZ: 'UTC',
    },
  };
  const isKilled = dieAt > 0;
  const { status, stdout, stderr } = isKilled
    ? spawnSync(process.execPath, ['--import', DIE_AT, PROGRAM, ...args], {
        ...place,
        encoding: 'utf8',
        input: '',
      })
    : runProgram({ ...place, args });
  if (status !== 0 && !(isKilled && status === null))
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { isDone: status === 0, stdout };
}

function say(name: string, word: string): void {
  const folder = join(home(name), '.claude', 'projects', shop(name).replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  // An id that does not hold the word: that could not be purged alone.
  const id = `s-${name}-${createHash('sha256').update(word).digest('hex').slice(0, 12)}`;
  const lines = workSession(
    id,
    [{ you: `Please keep ${word} in mind.` }, { agent: 'Yes.' }],
    undefined,
    shop(name),
  );
  writeFileSync(join(folder, `${id}.jsonl`), lines);
}

/** What a machine knows: the content of its sessions, its facts and names. */
function known(name: string): string[] {
  const sessions = readdirSync(archive(name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /originals\/[^/]+\.jsonl$/.test(path))
    .map((path) => readFileSync(join(archive(name), path), 'utf8'));
  const facts = JSON.parse(run(name, ['facts', '--json', '--limit', '500']).stdout).items as {
    content: string;
  }[];
  return [...sessions, ...facts.map(({ content }) => content)].sort();
}

test.each(Array.from({ length: HISTORIES }, (_, index) => index + 1))(
  'the program on two machines around a store that is harmed, killed at its writes: both end alike (seed %i)',
  (seed) => {
    rmSync(place, { recursive: true, force: true });
    cpSync(template, place, { recursive: true });
    const draw = chance(seed);
    const harmed = new SimStore(store, draw);
    const said = new Map<string, 'there' | 'unsure' | 'purged'>();
    for (let step = 0; step < STEPS; step++) {
      const name = anyOf(NAMES, draw);
      const word = `word${seed}x${step}x`;
      const dieAt = draw() < 0.4 ? 1 + Math.floor(draw() * 60) : 0;
      const kind = draw();
      if (kind < 0.4) run(name, ['remote', 'sync'], dieAt);
      else if (kind < 0.6) {
        say(name, word);
        said.set(word, run(name, ['sync'], dieAt).isDone ? 'there' : 'unsure');
      } else if (kind < 0.75)
        said.set(
          word,
          run(name, ['facts', 'add', `The ${word} is blue.`], dieAt).isDone ? 'there' : 'unsure',
        );
      else if (kind < 0.88) {
        const held = known(name).join();
        const there = [...said].filter(([text, state]) => state === 'there' && held.includes(text));
        if (there.length === 0) continue;
        const [text] = anyOf(there, draw);
        said.set(text, run(name, ['purge', '--text', text, '--yes'], dieAt).isDone ? 'purged' : 'unsure');
      } else harmed.harm();
    }
    for (const name of NAMES) run(name, ['sync']);
    let isQuiet = false;
    for (let round = 0; round < MOST_ROUNDS && !isQuiet; round++) {
      isQuiet = true;
      for (const name of NAMES) {
        const [{ pulled, pushed, purges }] = JSON.parse(run(name, ['remote', 'sync', '--json']).stdout).items;
        if (pulled.segments + pushed.segments + pushed.removed + pushed.restored + purges > 0)
          isQuiet = false;
      }
    }
    expect(isQuiet).toBe(true);
    const [a, b] = NAMES.map(known) as [string[], string[]];
    expect(a).toEqual(b);
    for (const [word, state] of said) {
      if (state === 'there') expect(a.join(), word).toContain(word);
      if (state === 'purged') expect(a.join(), word).not.toContain(word);
    }
  },
);
