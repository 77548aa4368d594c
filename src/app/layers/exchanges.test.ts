import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryArchive } from '../../../test/contracts/memory-archive.ts';
import { exchangeRecords } from '../../core/layers/exchanges/records.ts';
import { exchangeFileSchema } from '../../core/model/exchange.ts';
import { type ProjectId, toSessionId } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { Files } from '../../ports/archive.ts';
import type { World } from '../world.ts';
import { sessionExchanges, updatedExchanges, updateExchanges } from './exchanges.ts';
import { PIECE } from './lines.ts';

const PROJECT = '-srv-shop' as ProjectId;
const L1 = 'memory/sessions/2026-01-05_1000_11111111.l1.jsonl';
const L2 = 'memory/sessions/2026-01-05_1000_11111111.l2.json';

type Traffic = { read: number; written: number };

/** Counts the bytes that go through it. */
function counted(files: Files, traffic: Traffic): Files {
  const read = <T extends Buffer | undefined>(bytes: T): T => {
    traffic.read += bytes?.length ?? 0;
    return bytes;
  };
  return {
    ...files,
    read: async (...args) => read(await files.read(...args)),
    readAt: async (...args) => read(await files.readAt(...args)),
    write: async (project, name, bytes) => {
      traffic.written += bytes.length;
      await files.write(project, name, bytes);
    },
    writeAt: async (project, name, at, bytes) => {
      traffic.written += bytes.length;
      await files.writeAt(project, name, at, bytes);
    },
  };
}

function place() {
  const { archive } = memoryArchive();
  const traffic: Traffic = { read: 0, written: 0 };
  const world = { archive: { ...archive, files: counted(archive.files, traffic) } } as unknown as World;
  const session = { sessionId: toSessionId('one'), engine: 1, l1: { file: L1, lines: 0, bytes: 0 } };
  return {
    world,
    session,
    traffic,
    /** The refined file now holds these lines. */
    async hold(lines: L1Line[]) {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      await archive.files.write(PROJECT, L1, text);
      session.l1 = { file: L1, lines: lines.length, bytes: Buffer.byteLength(text) };
    },
    update: () => updateExchanges(world, PROJECT, session),
    stored: async () => (await archive.files.read(PROJECT, L2))?.toString('utf8') ?? '',
    write: (text: string | Buffer) => archive.files.write(PROJECT, L2, text),
  };
}

const line = (src: number, role: L1Line['role'], rest: Partial<L1Line> = {}): L1Line => ({
  ts: '2026-01-05T10:00:00Z',
  role,
  src,
  ...rest,
});

function talk(turns: number): L1Line[] {
  return Array.from({ length: turns }, (_, turn) =>
    turn % 2 === 0
      ? line(turn * 10, 'user', { text: `Change part ${turn} of the basket.` })
      : line(turn * 10, 'assistant', { text: `Changed part ${turn} in src/part${turn}.ts, größer nun.` }),
  );
}

async function madeAtOnce(lines: L1Line[]): Promise<string> {
  const one = place();
  await one.hold(lines);
  await one.update();
  return one.stored();
}

/** Asks, answers, going back, words typed meanwhile; an end that gets shorter when it is made again. */
const madeLines = fc
  .array(fc.constantFrom('ask', 'answer', 'long', 'back', 'queued', 'sent', 'stop', 'run'), {
    minLength: 2,
    maxLength: 30,
  })
  .map((kinds) => {
    const lines = [line(0, 'user', { text: 'Begin.' })];
    for (const [place, kind] of kinds.entries()) {
      const src = (place + 1) * 10;
      const queued = lines.findLast((it) => it.queued);
      const asked = lines[Math.floor(lines.length / 2)]!.src;
      if (kind === 'ask') lines.push(line(src, 'user', { text: `Never use part ${src}.` }));
      if (kind === 'answer') lines.push(line(src, 'assistant', { text: 'Done.' }));
      if (kind === 'long')
        lines.push(line(src, 'assistant', { text: 'Fixed the basket because of größe. ' }));
      if (kind === 'back') lines.push(line(src, 'user', { text: 'Another way.', replaces: asked }));
      if (kind === 'queued') lines.push(line(src, 'user', { text: 'Meanwhile.', queued: true }));
      if (kind === 'sent' && queued) lines.push(line(src, 'user', { sent: queued.src }));
      if (kind === 'stop') lines.push(line(src, 'system', { name: 'interrupted' }));
      if (kind === 'run')
        lines.push(line(src, 'tool', { name: 'Bash', target: 'npm test', result: 'Exit code 1\nno' }));
    }
    return lines;
  });

describe('the file of exchanges', () => {
  it('is one JSON value with an exchange a line', async () => {
    const text = await madeAtOnce(talk(6));
    expect(exchangeFileSchema.parse(JSON.parse(text)).exchanges).toHaveLength(3);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    for (const one of lines.slice(1, -1)) JSON.parse(one.replace(/,$/, ''));
  });

  it('has the same bytes in any number of steps as at once', async () => {
    await fc.assert(
      fc.asyncProperty(madeLines, fc.array(fc.nat(30), { maxLength: 6 }), async (lines, cuts) => {
        const one = place();
        for (const cut of [...cuts, lines.length].sort((a, b) => a - b)) {
          await one.hold(lines.slice(0, Math.max(1, cut)));
          await one.update();
          expect(JSON.parse(await one.stored()).l1.bytes).toBe(one.session.l1.bytes);
        }
        expect(await one.stored()).toBe(await madeAtOnce(lines));
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same for a session that is read in several pieces as in one', async () => {
    const padding = 'x'.repeat(20_000);
    const lines = Array.from({ length: 240 }, (_, n): L1Line => {
      const src = n * 10;
      if (n % 60 === 59) return line(src, 'user', { text: 'Another way.', replaces: src - 470 });
      if (n === 3) return line(src, 'user', { text: 'Sent much later.', queued: true });
      if (n === 231) return line(src, 'user', { sent: 30 });
      if (n % 3 === 0) return line(src, 'user', { text: `Change part ${n} of the basket.` });
      return line(src, 'tool', { name: 'Read', target: `${n}${padding}` });
    });
    const one = place();
    await one.hold(lines);
    expect(one.session.l1.bytes).toBeGreaterThan(2 * PIECE);
    const records = await sessionExchanges(one.world, PROJECT, one.session);
    expect(records).toEqual(exchangeRecords('one', lines));
    expect(records.map(({ ask }) => ask)).toContain('Sent much later.');
    expect(records.filter(({ outcome }) => outcome === 'rejected').length).toBeGreaterThan(30);
    const updated = await updatedExchanges(one.world, PROJECT, one.session, (it) => it);
    expect(updated).toEqual(records);
    expect(exchangeFileSchema.safeParse(JSON.parse(await one.stored())).success).toBe(true);
  });

  it('costs one more turn the same in a long session as in a short one', async () => {
    const cost = async (turns: number) => {
      const one = place();
      await one.hold(talk(turns));
      await one.update();
      await one.hold(talk(turns + 2));
      Object.assign(one.traffic, { read: 0, written: 0 });
      await one.update();
      expect(JSON.parse(await one.stored()).exchanges).toHaveLength(turns / 2 + 1);
      return one.traffic.read + one.traffic.written;
    };
    // The end of the file is looked for in its last bytes; more digits make longer lines.
    expect(await cost(2000)).toBeLessThan((await cost(20)) + 8192);
  });

  it('is mended after a write that was cut off anywhere, and after damage by hand', async () => {
    const [before, after] = [await madeAtOnce(talk(8)), await madeAtOnce(talk(12))].map((it) =>
      Buffer.from(it),
    );
    const { at } = JSON.parse(before!.toString('utf8')).resume;
    const one = place();
    await one.hold(talk(12));
    for (let cut = at; cut < after!.length; cut += 7) {
      const torn = Buffer.concat([after!.subarray(0, cut), before!.subarray(cut)]);
      await one.write(torn);
      await one.update();
      expect(await one.stored(), `cut at ${cut}`).toBe(after!.toString('utf8'));
    }
    for (const damaged of ['', '{}', before!.subarray(0, 99), `${after}${after}`, 'x'.repeat(99)]) {
      await one.write(damaged);
      await one.update();
      expect(await one.stored()).toBe(after!.toString('utf8'));
    }
    const end = after!.toString('utf8').lastIndexOf('größer');
    await one.write(`${after!.toString('utf8').slice(0, end)}G${after!.toString('utf8').slice(end + 1)}`);
    await one.update();
    expect(await one.stored()).toBe(after!.toString('utf8'));
    // In its middle only who reads it all notices.
    await one.write(after!.toString('utf8').replace('"outcome":"done"', '"outcome":3'));
    await updatedExchanges(one.world, PROJECT, one.session, (it) => it);
    expect(await one.stored()).toBe(after!.toString('utf8'));
  });

  it('is rebuilt after its refined file was rebuilt', async () => {
    const one = place();
    await one.hold(talk(8));
    await one.update();
    const other = talk(10).map((it) => ({ ...it, text: `${it.text} Otherwise.` }));
    await one.hold(other);
    await one.update();
    expect(await one.stored()).toBe(await madeAtOnce(other));
  });
});
