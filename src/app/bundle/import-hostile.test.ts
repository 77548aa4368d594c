import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveTree } from '../../../test/made/archive-tree.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { register } from '../sync/register.ts';
import { exportBundle } from './export.ts';
import { importBundle } from './import.ts';

let world: TestWorld;
let good: Buffer;
let lines: string[];
let before: Record<string, string>;

beforeAll(async () => {
  world = makeWorld();
  const session = join(world.places.home, 'one.jsonl');
  writeFileSync(session, transcript('/srv/shop', 'one', [{ you: 'Add a basket.', agent: 'Done.' }]));
  await register(world, session);
  const { file } = await exportBundle(world, {
    out: join(world.places.home, 'good.keepsake.gz'),
    project: '-srv-shop',
  });
  good = gunzipSync(await world.machine.readBytes(file).then((bytes) => bytes!));
  lines = good.toString().trimEnd().split('\n');
  before = archiveTree(world.archive.root);
});
afterAll(() => world.remove());

/** Lines with the right checksums, whatever they say. */
function bundle(list: string[]): Buffer {
  const hash = createHash('sha256');
  for (const line of list) hash.update(line).update('\n');
  return gzipSync(
    [...list, JSON.stringify({ t: 'end', lines: list.length, sha256: hash.digest('hex') }), ''].join('\n'),
  );
}

/** The good bundle with one of its lines changed. */
function changed(kind: string, change: (line: Record<string, never>) => unknown): Buffer {
  const at = lines.findIndex((line) => line.includes(`"t":"${kind}"`));
  const list = lines.slice(0, -1);
  list[at] = JSON.stringify(change(JSON.parse(list[at]!)));
  return bundle(list);
}

async function refusal(bytes: Buffer): Promise<string> {
  const file = join(world.places.home, 'bad.keepsake.gz');
  writeFileSync(file, bytes);
  const fault = await importBundle(world, file).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(archiveTree(world.archive.root)).toEqual(before);
  expect(fault).toBeInstanceOf(Fault);
  return `${(fault as Fault).code}: ${(fault as Fault).message.replace(world.places.home, '')}`;
}

const file = (content: object) => changed('file', () => ({ t: 'file', file: content }));
const cases: [string, () => Buffer, RegExp][] = [
  ['is no gzip', () => Buffer.from('hello'), /is not a Keepsake bundle/],
  ['is empty', () => gzipSync(''), /is empty/],
  ['is something else', () => gzipSync('{"a":1}\n'), /is not a Keepsake bundle/],
  ['is cut short in the packing', () => bundle(lines.slice(0, -1)).subarray(0, 300), /is incomplete/],
  ['is cut short between lines', () => gzipSync(`${lines.slice(0, 4).join('\n')}\n`), /is incomplete/],
  ['has a flipped byte', () => gzipSync(good.toString().replace('basket', 'casket')), /is damaged/],
  [
    'was made by a newer version',
    () => bundle([lines[0]!.replace('"format":1', '"format":2'), ...lines.slice(1, -1)]),
    /^newer-version: .*newer version of Keepsake/,
  ],
  ['names a session with a path', () => file({ kind: 'original', session: '../../x' }), /not a session id/],
  [
    'names a file outside',
    () => file({ kind: 'beside', session: 'one', path: ['..', '..', 'x'] }),
    /not a file name/,
  ],
  ['names a page outside', () => file({ kind: 'journal', path: ['a/../../x.md'] }), /not a file name/],
  [
    'names a memory file of its own',
    () => file({ kind: 'memory', name: '../manifest.json' }),
    /invalid line/,
  ],
  [
    'names a project with a path',
    () => changed('project', (line) => ({ ...line, id: '../x' })),
    /not a project id/,
  ],
  [
    'names a prototype',
    () =>
      bundle([
        lines[0]!,
        lines[1]!.replace('"settings":{}', '"settings":{"__proto__":{"x":1}}'),
        ...lines.slice(2, -1),
      ]),
    /__proto__/,
  ],
  [
    'has records of the wrong kind',
    () => changed('session', () => ({ t: 'session', record: 7 })),
    /invalid line/,
  ],
  ['has data after its end', () => gzipSync(`${good.toString()}{"t":"data"}\n`), /data after its end/],
  [
    'has content without a file',
    () => bundle([...lines.slice(0, -1), '{"t":"data","text":"x"}']),
    /is damaged/,
  ],
];

describe('a bundle that', () => {
  it.each(cases)('%s is refused, and the archive stays as it is', async (_, make, words) => {
    expect(await refusal(make())).toMatch(words);
  });

  it('unpacks to ten gigabytes of zeros is refused at the first of them', async () => {
    const gzip = createGzip();
    const pieces: Buffer[] = [];
    gzip.on('data', (piece: Buffer) => pieces.push(piece));
    const zeros = Buffer.alloc(1 << 20);
    // As much as is read before it is refused, and some more: the rest would be more of the same.
    for (let megabyte = 0; megabyte < 24; megabyte++) gzip.write(zeros);
    gzip.end();
    await new Promise((resolve) => gzip.on('end', resolve));
    expect(await refusal(Buffer.concat(pieces))).toMatch(/line that Keepsake did not write/);
  });

  it('swells far more than text does is refused', async () => {
    const line = `${JSON.stringify({ t: 'data', text: ' '.repeat(200_000) })}\n`;
    const text = [
      lines[0]!,
      lines[1]!,
      JSON.stringify({ t: 'file', file: { kind: 'original', session: 'big' } }),
      '',
    ];
    const bytes = gzipSync(text.join('\n') + line.repeat(400), { level: 9 });
    expect(await refusal(bytes)).toMatch(/suspiciously large/);
  });

  it('holds any other bytes is refused, or says the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(good);
        if (bytes[at] === byte) return;
        bytes[at] = byte;
        expect(await refusal(gzipSync(bytes))).toMatch(/^(?:bad-input|newer-version): /);
      }),
      { numRuns: 40 },
    );
  });
});
