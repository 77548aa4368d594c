import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { madeSession } from '../../../test/made/transcript.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { readL1 } from '../find/read-l1.ts';
import { register } from './register.ts';
import { sync } from './sync.ts';

const PROJECT = '-srv-shop' as ProjectId;
const worlds: TestWorld[] = [];

function world(): TestWorld {
  const made = makeWorld();
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const made of worlds.splice(0)) await made.remove();
});

async function record(made: TestWorld, session: string): Promise<SessionRecord & { projectId: ProjectId }> {
  const opened = await made.archive.open(PROJECT);
  const found = opened?.manifest.sessions[session];
  if (!found) throw new Error(`${session} is not in the manifest`);
  return { ...found, projectId: PROJECT };
}

async function l1Of(made: TestWorld, session: string): Promise<string> {
  const { l1 } = await record(made, session);
  const bytes = await made.archive.files.read(PROJECT, l1.file);
  return bytes?.toString('utf8', 0, l1.bytes) ?? '';
}

/** Lines with the given session id, so that files of several sessions can be made from one. */
const asSession = (text: string, id: string) => text.replaceAll('"sessionId":"made"', `"sessionId":"${id}"`);

describe('sync', () => {
  it('gives the same layers in any number of steps as at once, and twice adds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        madeSession,
        fc.array(fc.nat(10_000), { maxLength: 6 }),
        fc.infiniteStream(fc.constantFrom('\n', '\n', '\n', '', ' \n')),
        async (lines, cuts, ends) => {
          // The first line tells whose session it is, as in every real file.
          const head =
            '{"type":"user","message":{"role":"user","content":"begin"},"uuid":"u0","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"made"}\n';
          const expected = lines.map((line) => line.text + ends.next().value);
          const bytes = Buffer.from(head + expected.join(''));
          const [once, stepwise] = [world(), world()];
          const whole = join(once.projects, 'made.jsonl');
          writeFileSync(whole, bytes);
          await sync(once);
          const growing = join(stepwise.projects, 'made.jsonl');
          // Also right where two lines meet, where a file may end without a newline.
          const meetings = expected.map(
            (_, index) => head.length + Buffer.byteLength(expected.slice(0, index).join('')),
          );
          const places = cuts
            .map(
              (cut) =>
                (cut % 2 ? meetings[cut % meetings.length] : undefined) ??
                head.length + (cut % Math.max(1, bytes.length - head.length)),
            )
            .sort((a, b) => a - b);
          let at = 0;
          for (const place of [...places, bytes.length]) {
            appendFileSync(growing, bytes.subarray(at, place));
            at = place;
            await sync(stepwise);
          }
          expect(await l1Of(stepwise, 'made')).toBe(await l1Of(once, 'made'));
          const [
            { registeredAt: a, lastAccessed: b, originalFile: c, ...left },
            { registeredAt: d, lastAccessed: e, originalFile: f, ...right },
          ] = [await record(once, 'made'), await record(stepwise, 'made')];
          expect(right).toEqual(left);
          const before = await record(once, 'made');
          expect(await sync(once)).toMatchObject({ same: 1, added: 0, grown: 0 });
          expect(await record(once, 'made')).toEqual(before);
          for (const { human } of lines) {
            if (human !== undefined)
              expect(
                (await readL1(once, before)).some((line) => line.text === human),
                human,
              ).toBe(true);
          }
          expect(readFileSync(once.archive.originals.path(PROJECT, 'made.jsonl')).equals(bytes)).toBe(true);
          await Promise.all(worlds.splice(0).map((made) => made.remove()));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('keeps every line it ever saw, whatever happens to the files', async () => {
    const session = fc.constantFrom('one', 'two');
    const command = fc.oneof(
      fc.record({ kind: fc.constant('grow' as const), session, lines: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        kind: fc.constant('truncate' as const),
        session,
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({ kind: fc.constant('replace' as const), session, lines: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('delete' as const), session }),
      fc.record({ kind: fc.constant('register' as const), session }),
      fc.record({ kind: fc.constant('sync' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 20 }), async (commands) => {
        const made = world();
        let counter = 0;
        // The oracle: the lines that stood in a file when it was taken in.
        const kept = new Map<string, Set<string>>([
          ['one', new Set()],
          ['two', new Set()],
        ]);
        const path = (id: string) => join(made.projects, `${id}.jsonl`);
        const fresh = (id: string) => {
          const number = counter++;
          return `{"type":"user","message":{"role":"user","content":"words ${number}"},"uuid":"${id}-${number}","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"${id}"}`;
        };
        const take = (id: string) => {
          if (!existsSync(path(id))) return;
          for (const line of readFileSync(path(id), 'utf8').split('\n')) {
            if (line.endsWith('}')) kept.get(id)!.add(line);
          }
        };
        for (const step of [...commands, { kind: 'sync' as const }]) {
          switch (step.kind) {
            case 'grow':
              appendFileSync(
                path(step.session),
                Array.from({ length: step.lines }, () => `${fresh(step.session)}\n`).join(''),
              );
              break;
            case 'replace':
              writeFileSync(
                path(step.session),
                Array.from({ length: step.lines }, () => `${fresh(step.session)}\n`).join(''),
              );
              break;
            case 'truncate':
              if (existsSync(path(step.session))) {
                const whole = readFileSync(path(step.session));
                // At a line's end, as an editor would; torn lines are another test.
                truncateSync(
                  path(step.session),
                  whole.lastIndexOf(0x0a, Math.floor(step.share * whole.length)) + 1,
                );
              }
              break;
            case 'delete':
              rmSync(path(step.session), { force: true });
              break;
            case 'register':
              if (existsSync(path(step.session)) && readFileSync(path(step.session)).length > 0) {
                await register(made, path(step.session));
                take(step.session);
              }
              break;
            case 'sync':
              await sync(made);
              take('one');
              take('two');
          }
        }
        for (const [id, lines] of kept) {
          if (lines.size === 0) continue;
          const copy = readFileSync(made.archive.originals.path(PROJECT, `${id}.jsonl`), 'utf8')
            .split('\n')
            .filter(Boolean);
          expect(new Set(copy), id).toEqual(lines);
          expect(copy.length, `${id}: no line twice`).toBe(lines.size);
          const texts = (await readL1(made, await record(made, id))).map((line) => line.text);
          expect(texts.length).toBe(lines.size);
        }
        await Promise.all(worlds.splice(0).map((one) => one.remove()));
      }),
      { numRuns: 40 },
    );
  });

  it('says so when a file was cut short or replaced', async () => {
    const made = world();
    const file = join(made.projects, 'one.jsonl');
    const line = (n: number) =>
      `{"type":"user","message":{"role":"user","content":"w${n}"},"uuid":"u${n}","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"one"}\n`;
    writeFileSync(file, line(1) + line(2));
    await sync(made);
    truncateSync(file, line(1).length);
    const cut = await sync(made);
    expect(cut.replaced).toBe(1);
    expect(cut.notes.join(' ')).toContain('shortened');
    expect((await made.archive.history(PROJECT)).at(-1)?.note).toContain('became shorter');
    writeFileSync(file, line(3));
    const replaced = await sync(made);
    expect(replaced.notes.join(' ')).toContain('replaced');
    expect((await record(made, 'one')).metadata.counts.human).toBe(3);
    expect((await made.archive.history(PROJECT)).map((event) => event.action)).toContain('replaced');
  });

  it('leaves every session readable after the agent deleted its files and the archive lost its manifest', async () => {
    const made = world();
    mkdirSync(join(made.projects, '-srv-shop'));
    for (const id of ['one', 'two', 'three']) {
      const line = `{"type":"user","message":{"role":"user","content":"words of ${id}"},"uuid":"${id}","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"${id}"}\n`;
      writeFileSync(join(made.projects, '-srv-shop', `${id}.jsonl`), line);
    }
    await sync(made);
    rmSync(made.projects, { recursive: true });
    for (const name of ['manifest.json', 'manifest.prev.json', 'manifest.log']) {
      rmSync(join(made.places.archive, 'projects', PROJECT, name), { force: true });
    }
    rmSync(join(made.places.archive, 'projects', PROJECT, 'memory'), { recursive: true });
    rmSync(join(made.places.archive, 'cache'), { recursive: true });
    await sync(made);
    for (const id of ['one', 'two', 'three']) {
      expect((await readL1(made, await record(made, id))).map((line) => line.text)).toEqual([
        `words of ${id}`,
      ]);
    }
  });

  it('treats two files with one id as one session, in either order', async () => {
    const line = (n: number) =>
      `{"type":"user","message":{"role":"user","content":"w${n}"},"uuid":"u${n}","timestamp":"2026-03-01T00:00:0${n}Z","cwd":"/srv/shop","sessionId":"one"}\n`;
    for (const names of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const made = world();
      writeFileSync(join(made.projects, `${names[0]}.jsonl`), line(1) + line(2));
      writeFileSync(join(made.projects, `${names[1]}.jsonl`), line(1) + line(2) + line(3));
      const report = await sync(made);
      expect(report.replaced).toBe(0);
      expect((await record(made, 'one')).metadata.counts.human).toBe(3);
      expect((await readL1(made, await record(made, 'one'))).map(({ text }) => text)).toEqual([
        'w1',
        'w2',
        'w3',
      ]);
    }
  });

  it('keeps two folders with one sanitised name apart', async () => {
    const made = world();
    const line = (cwd: string, id: string) =>
      `{"type":"user","message":{"role":"user","content":"x"},"uuid":"${id}","timestamp":"2026-03-01T00:00:00Z","cwd":"${cwd}","sessionId":"${id}"}\n`;
    writeFileSync(join(made.projects, '1.jsonl'), line('/srv/shop', 's1'));
    writeFileSync(join(made.projects, '2.jsonl'), line('/srv-shop', 's2'));
    await sync(made);
    const projects = await made.archive.projects();
    expect(projects).toHaveLength(2);
    expect(projects.some((id) => /^-srv-shop~[0-9a-f]{6}$/.test(id))).toBe(true);
  });

  it('gives two sessions that begin alike in one minute a refined file each', async () => {
    const made = world();
    const id = (n: number) => `11111111-0000-4000-8000-00000000000${n}`;
    for (const n of [1, 2, 3]) {
      const line = `{"type":"user","message":{"role":"user","content":"words ${n}"},"uuid":"u${n}","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"${id(n)}"}\n`;
      writeFileSync(join(made.projects, `${id(n)}.jsonl`), line);
    }
    await sync(made);
    for (const n of [1, 2, 3]) {
      expect((await readL1(made, await record(made, id(n)))).map(({ text }) => text)).toEqual([`words ${n}`]);
    }
    await register(made, id(1));
    expect((await readL1(made, await record(made, id(2)))).map(({ text }) => text)).toEqual(['words 2']);
  });

  it('gives them a file each, too, where nobody had spoken in one when it was first read', async () => {
    const made = world();
    const id = (n: number) => `11111111-0000-4000-8000-00000000000${n}`;
    const line = (n: number, type: string, more: string) =>
      `{"type":"${type}",${more}"uuid":"${type}${n}","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"${id(n)}"}\n`;
    const said = (n: number) => line(n, 'user', `"message":{"role":"user","content":"words ${n}"},`);
    const path = (n: number) => join(made.projects, `${id(n)}.jsonl`);
    writeFileSync(path(1), said(1));
    writeFileSync(path(2), line(2, 'system', '"subtype":"init","content":"begun",'));
    await sync(made);
    appendFileSync(path(2), said(2));
    await sync(made);
    for (const n of [1, 2])
      expect((await readL1(made, await record(made, id(n)))).map(({ text }) => text)).toContain(`words ${n}`);
  });

  it('reports a hostile session id and continues', async () => {
    const made = world();
    const line = (id: string) =>
      asSession(
        `{"type":"user","message":{"role":"user","content":"x"},"uuid":"u","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"made"}\n`,
        id,
      );
    writeFileSync(join(made.projects, 'a.jsonl'), line('__proto__'));
    writeFileSync(join(made.projects, 'b.jsonl'), line('../../outside'));
    writeFileSync(join(made.projects, 'c.jsonl'), line('good'));
    writeFileSync(join(made.projects, 'd.jsonl'), 'not json\nat all\n');
    const report = await sync(made);
    expect(report).toMatchObject({ found: 4, added: 1, skipped: 3 });
    expect(report.problems.map(({ path }) => path.at(-7))).toEqual(['a', 'b']);
    expect(report.notes.join()).toMatch(/not from an agent that Keepsake supports: .*d\.jsonl/);
    expect(Object.keys((await made.archive.open(PROJECT))!.manifest.sessions)).toEqual(['good']);
  });

  it('brings a session back when it is asked for by name, from the archive when the agent has deleted it', async () => {
    const made = world();
    const file = join(made.projects, 'one.jsonl');
    writeFileSync(
      file,
      '{"type":"user","message":{"role":"user","content":"kept"},"uuid":"u","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"one"}\n',
    );
    await sync(made);
    await made.archive.change(PROJECT, [{ at: ['sessions', 'one'], merge: { registered: false } }]);
    expect(await sync(made)).toMatchObject({ added: 0, grown: 0 });
    expect((await record(made, 'one')).registered).toBe(false);
    rmSync(file);
    await made.archive.files.write(PROJECT, (await record(made, 'one')).l1.file, 'spoilt by hand\n');
    await register(made, 'one');
    const back = await record(made, 'one');
    expect(back.registered).toBe(true);
    expect(back.originalFile).toBe(file);
    expect((await readL1(made, back)).map(({ text }) => text)).toEqual(['kept']);
  });
});
