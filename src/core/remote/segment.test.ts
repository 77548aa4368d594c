import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zstdPacking as packing } from '../../adapters/remotes/zstd-packing.ts';
import { deviceKey } from './device-key.ts';
import { openSegment } from './open-segment.ts';
import { keyText, memberProof, parseKeyText, remoteKeys, repoTag } from './remote-key.ts';
import { sealSegment, segmentId } from './seal-segment.ts';
import { parseSegmentName, segmentName } from './segment-name.ts';

const KEYS = remoteKeys(Buffer.alloc(32, 7));
const DEVICE = deviceKey(Buffer.alloc(32, 9));
const REPO = repoTag(KEYS, 'example.com/shop');
const sealer = (encrypt: boolean) => ({ keys: KEYS, device: DEVICE, packing, encrypt });
const draft = (lines: string[]) => ({ repo: REPO, lane: 'log' as const, seq: 3, prev: '', lines });

describe('a segment', () => {
  test('gives back its lines, and the same lines give the same bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 20 }), fc.boolean(), (values, encrypt) => {
        const lines = values.map((value) => JSON.stringify(value));
        const { name, bytes } = sealSegment(draft(lines), sealer(encrypt));
        expect(openSegment(name, bytes, { keys: KEYS, packing })).toMatchObject({ state: 'read', lines });
        expect(sealSegment(draft(lines), sealer(encrypt)).bytes.equals(bytes)).toBe(true);
        expect(parseSegmentName(segmentName(name))).toEqual(name);
      }),
    );
  });

  test('with any byte changed it is not read, under its own name or under the one its bytes would have', () => {
    const { name, bytes } = sealSegment(draft(['{"a":1}', '{"b":"word"}']), sealer(true));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = Buffer.from(bytes);
        other[at] = other[at]! ^ by;
        expect(openSegment(name, other, { keys: KEYS, packing }).state).toBe('damaged');
        const renamed = { ...name, id: segmentId(other) };
        expect(openSegment(renamed, other, { keys: KEYS, packing }).state).not.toBe('read');
      }),
      { numRuns: 300 },
    );
  });

  test('of a device without the key, under another name, or with another key is refused', () => {
    const stranger = { keys: remoteKeys(randomBytes(32)), device: deviceKey(randomBytes(32)), packing };
    const forged = sealSegment(draft(['{}']), { ...stranger, encrypt: false });
    expect(openSegment(forged.name, forged.bytes, { keys: KEYS, packing })).toMatchObject({
      state: 'refused',
      why: 'its device does not have the key of the remote',
    });
    const own = sealSegment(draft(['{}']), sealer(true));
    for (const other of [
      { seq: 4 },
      { lane: 'bytes' as const },
      { device: forged.name.device },
      { repo: '0'.repeat(32) },
    ])
      expect(openSegment({ ...own.name, ...other }, own.bytes, { keys: KEYS, packing }).state).toBe(
        'refused',
      );
    expect(openSegment(own.name, own.bytes, { keys: stranger.keys, packing }).state).toBe('refused');
    const claimed = { ...KEYS, member: stranger.keys.member };
    expect(memberProof(claimed, DEVICE.publicKey)).not.toBe(memberProof(KEYS, DEVICE.publicKey));
  });

  test('that would swell beyond what it says is refused without being unpacked', () => {
    const { name, bytes } = sealSegment(draft([`"${'a'.repeat(1 << 20)}"`]), sealer(false));
    const lying = { pack: packing.pack, unpack: (body: Buffer) => packing.unpack(body, 1000) };
    expect(openSegment(name, bytes, { keys: KEYS, packing: lying }).state).toBe('refused');
  });

  test('encrypted, shows no word of its lines; its header none of the repository', () => {
    const { bytes } = sealSegment(draft(['{"text":"confidential roadmap"}']), sealer(true));
    for (const word of ['confidential', 'roadmap', 'example', 'shop'])
      expect(bytes.includes(word)).toBe(false);
  });
});

test('a key is read again however it is copied, and one wrong sign is seen', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(55), (bytes, at) => {
      const key = Buffer.from(bytes);
      const text = keyText(key);
      expect(parseKeyText(text)?.equals(key)).toBe(true);
      expect(parseKeyText(` ${text.toLowerCase().replaceAll('-', ' ')}\n`)?.equals(key)).toBe(true);
      const signs = text.replaceAll('-', '');
      const wrong = signs.slice(0, at) + (signs[at] === 'A' ? 'B' : 'A') + signs.slice(at + 1);
      expect(parseKeyText(wrong)).toBeUndefined();
    }),
  );
});

test('only names in the form of a segment count as one', () => {
  const hex = 'a'.repeat(32);
  for (const name of [
    `r/${hex}/${hex}/log/00000001-${hex}.conflict`,
    `r/${hex}/${hex}/log/1-${hex}`,
    `r/../${hex}/log/00000001-${hex}`,
    `r/${hex}/${hex}/log/00000000-${hex}`,
    `r/${hex}/${hex}/other/00000001-${hex}`,
    'notes.txt',
  ])
    expect(parseSegmentName(name)).toBeUndefined();
});
