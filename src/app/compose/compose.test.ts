import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { STRATEGIES } from '../../core/model/composition.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { compressSession } from '../compress/compress.ts';
import { addLink } from '../find/links.ts';
import { findSession } from '../find/session.ts';
import { sessionDistances } from '../find/session-distance.ts';
import { sync } from '../sync/sync.ts';
import { syncFor } from '../sync/sync-for.ts';
import { compose } from './compose.ts';
import { readsOf } from './request.ts';

const SHOP = '-srv-shop' as ProjectId;
const NAMES = ['alpha', 'bravo', 'charlie', 'delta'];
const WORDS = 'basket price cents rounding invoice index cache token queue retry worker schema'.split(' ');
let made: TestWorld;
afterEach(async () => made?.remove());

function write(cwd: string, id: string, turns: Turn[]): void {
  const folder = join(made.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), transcript(cwd, id, turns));
}

/** Some talk that says something else in every turn. */
function talk(seed: number, turns: number, day: number): Turn[] {
  const word = (at: number) => WORDS[(seed * 7 + at * 5) % WORDS.length];
  return Array.from({ length: turns }, (_, at) => ({
    you: `Question ${seed}.${at}: how does the ${word(at)} of part ${at} meet the ${word(at + 1)}?`,
    agent: `The ${word(at)} ${seed}-${at} is kept in file-${seed}-${at}.ts. It reads ${word(at + 2)} first. Then it writes ${word(at + 3)} number ${at * 31}.`,
    at: `2026-01-${String(day).padStart(2, '0')}T10:${String(at % 60).padStart(2, '0')}:00.000Z`,
  }));
}

async function shop(sizes: number[], pinned = new Map<number, string>()): Promise<string[]> {
  made = makeWorld();
  sizes.forEach((turns, index) => {
    const said = talk(index, turns, index + 1);
    const content = pinned.get(index);
    if (content)
      said.splice(Math.floor(turns / 2), 0, {
        you: `##keepit1.00## ${content}`,
        agent: 'Kept.',
        at: said[0]!.at!,
      });
    write('/srv/shop', NAMES[index]!, said);
  });
  await sync(made);
  return NAMES.slice(0, sizes.length);
}

const files = () =>
  readdirSync(join(made.places.archive, 'projects', SHOP, 'composed'), { recursive: true }).sort();

describe('a composition', () => {
  it('never exceeds its budget, holds what is pinned, keeps the order, and is the same twice', async () => {
    const count = await loadTokenCounter();
    const pins = new Map([
      [0, 'Prices are whole cents, never floats.'],
      [2, 'Never retry a payment.'],
    ]);
    await shop([12, 40, 3, 25], pins);
    const { projectId, sessionId } = await findSession(made, 'bravo');
    await compressSession(made, { project: projectId, session: sessionId }, { ratio: 8 });
    const spec = (name: string) =>
      fc.constantFrom('', ':auto', ':original', ...(name === 'bravo' ? [':part1_v001'] : []));
    const ask = fc.record({
      budget: fc.integer({ min: 150, max: 6000 }),
      sessions: fc
        .shuffledSubarray(NAMES, { minLength: 1 })
        .chain((names) => fc.tuple(...names.map((name) => spec(name).map((how) => name + how)))),
      strategy: fc.constantFrom(undefined, ...STRATEGIES),
      topic: fc.constantFrom(undefined, 'rounding of invoices'),
      asOf: fc.constantFrom(undefined, undefined, '2026-01-03'),
    });
    await fc.assert(
      fc.asyncProperty(ask, async ({ budget, sessions, strategy, topic, asOf }) => {
        const known = asOf
          ? sessions.filter((it) => !it.startsWith('delta') && !it.includes('_v'))
          : sessions;
        if (known.length === 0) return;
        const [firstId = ''] = known[0]!.split(':');
        const request = {
          budget,
          sessions: known,
          ...(strategy ? { strategy } : {}),
          ...(topic ? { topic } : {}),
          ...(asOf ? { asOf } : {}),
          ...(strategy === 'manual' ? { allocations: { [firstId]: Math.floor(budget / 3) } } : {}),
        };
        const preview = () =>
          compose(made, 'x', request, { preview: true }).catch((error) => {
            expect(error).toMatchObject({ code: 'conflict' });
            return Number(/--budget (\d+)/.exec(error.hint)?.[1]);
          });
        const done = await preview();
        if (typeof done === 'number') {
          expect(done).toBeGreaterThan(budget);
          const enough = await compose(made, 'x', { ...request, budget: done }, { preview: true });
          expect(count(enough.markdown)).toBeLessThanOrEqual(done);
          return;
        }
        expect(count(done.markdown)).toBeLessThanOrEqual(budget);
        expect(done.totalTokens).toBe(count(done.markdown));
        for (const [index, content] of pins)
          if (known.some((it) => it.startsWith(NAMES[index]!))) expect(done.markdown).toContain(content);
        const order = done.components.map(({ sessionId: id }) => id);
        expect(order).toEqual(known.map((it) => it.split(':')[0]));
        if (strategy === 'manual' && known[0] === firstId && !pins.has(NAMES.indexOf(firstId)))
          expect(done.components[0]!.tokenContribution).toBeLessThanOrEqual(Math.floor(budget / 3));
        const headings = order.map((id) => done.markdown.indexOf(`session ${id}`)).filter((at) => at !== -1);
        expect(headings).toEqual([...headings].sort((a, b) => a - b));
        const again = await preview();
        expect(again).toMatchObject({ markdown: done.markdown, jsonl: done.jsonl });
        const all = done.components.reduce((sum, { originalTokens = 0 }) => sum + originalTokens, 0);
        if (all > 2 * budget && budget > 600 && !asOf && strategy !== 'manual')
          expect(done.totalTokens).toBeGreaterThan(0.95 * budget);
      }),
      { numRuns: 25 },
    );
  });

  it('of many sessions spends little on headings, and has each minute once', async () => {
    const count = await loadTokenCounter();
    made = makeWorld();
    for (let index = 0; index < 24; index++)
      write('/srv/shop', `chat-${String(index).padStart(2, '0')}`, [
        ...talk(index, 6, 5).map((turn) => ({ ...turn, at: `2026-01-05T${10 + (index % 12)}:00:00.000Z` })),
      ]);
    await sync(made);
    const steps: [number, number][] = [];
    const done = await compose(
      made,
      'x',
      { budget: 2500, latest: 24, project: 'shop' },
      { preview: true, onProgress: (ready, all) => void steps.push([ready, all]) },
    );
    const [ready, all] = steps.at(-1)!;
    expect([ready, steps[0]]).toEqual([all, [1, all]]);
    const headings = done.markdown.split('\n').filter((line) => line.startsWith('# '));
    expect(headings.length).toBeGreaterThan(5);
    expect(headings[0]).toMatch(/^# session chat-\d\d, 2026-01-05$/);
    expect(count(headings.join('\n'))).toBeLessThan(0.12 * 2500);
    const [, first = ''] = done.markdown.split(/^# .*$/m);
    expect(first.match(/\d\d:00 /g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(done.totalTokens).toBeGreaterThan(0.95 * 2500);
  });

  it('is stored with its files and its record, leaves no versions behind; its sessions come forward in their order', async () => {
    await shop([20, 20, 20, 20]);
    const preview = await compose(
      made,
      'basket',
      { budget: 900, sessions: ['alpha', 'bravo'] },
      { preview: true },
    );
    expect((await made.archive.open(SHOP))!.manifest.compositions).toEqual({});
    const done = await compose(made, 'basket', { budget: 900, sessions: ['alpha', 'bravo'] });
    expect(done.markdown).toBe(preview.markdown);
    const { manifest } = (await made.archive.open(SHOP))!;
    expect(files()).toEqual([
      'basket',
      'basket/composed.jsonl',
      'basket/composed.md',
      'basket/composition.json',
    ]);
    const folder = join(made.places.archive, 'projects', SHOP, 'composed', 'basket');
    expect(readFileSync(join(folder, 'composed.md'), 'utf8')).toBe(done.markdown);
    const record = manifest.compositions.basket!;
    expect(JSON.parse(readFileSync(join(folder, 'composition.json'), 'utf8'))).toMatchObject(record);
    expect(record.components.map(({ versionId }) => versionId)).toEqual(['composed', 'composed']);
    expect(Object.values(manifest.sessions).flatMap(({ compressions }) => compressions)).toEqual([]);
    expect(done.markdown + done.jsonl).not.toContain(record.compositionId);
    // The latest stay as near as they were.
    expect([...sessionDistances(manifest)]).toEqual([
      ['bravo', 1],
      ['delta', 1],
      ['alpha', 2],
      ['charlie', 2],
    ]);
  });

  it('includes a growing session to its end, with the current exchange', async () => {
    await shop([6]);
    const ref = await findSession(made, 'alpha');
    await compressSession(made, { project: ref.projectId, session: ref.sessionId }, { ratio: 3 });
    write('/srv/shop', 'alpha', [
      ...talk(0, 6, 1),
      ...talk(5, 3, 2),
      { you: 'And the last thing?', at: '2026-01-03T00:00:00.000Z' },
    ]);
    const now = made.clock.millis() / 1000;
    utimesSync(join(made.projects, SHOP, 'alpha.jsonl'), now, now);
    await sync(made);
    const done = await compose(made, 'all', { budget: 5000, sessions: ['alpha:part1_v001'] });
    expect(done.markdown).toContain('And the last thing?');
    expect(done.components[0]!.versionId).toBe('part1_v001+part2_original+part3_original');
    expect((await made.archive.open(SHOP))!.manifest.parts.alpha).toHaveLength(1);
    const small = await compose(made, 'x', { budget: 350, sessions: ['alpha'] }, { preview: true });
    expect(small.components[0]!.reason).toMatch(/^Part 1 selected to fit \d+ tokens\. .*Part [23] /);
  });

  it('gives a session what the user says and no more; the others share the rest', async () => {
    await shop([40, 40, 40]);
    const ask = { budget: 1500, sessions: ['alpha', 'bravo', 'charlie'], allocations: { charlie: 300 } };
    const { components, strategy } = await compose(made, 'x', ask, { preview: true });
    const [alpha, bravo, charlie] = components.map(({ tokenContribution }) => tokenContribution);
    expect(strategy).toBe('manual');
    expect(charlie).toBeLessThanOrEqual(300);
    expect(charlie).toBeGreaterThan(200);
    expect(alpha! + bravo!).toBeGreaterThan(1000);
  });

  it('takes the running session of this directory up to its last word, and says where there is none', async () => {
    await shop([4, 4]);
    made.places.cwd = '/srv/shop';
    write('/srv/shop', 'live', [{ you: 'What about vouchers?', at: '2026-03-01T00:00:00.000Z' }]);
    const ask = { budget: 2000, sessions: ['alpha', 'current'] };
    await syncFor(made, readsOf(ask));
    const done = await compose(made, 'now', ask);
    expect(done.components.map(({ sessionId }) => sessionId)).toEqual(['alpha', 'live']);
    expect(done.markdown).toContain('What about vouchers?');
    made.places.cwd = '/srv/nobody';
    await expect(compose(made, 'x', { budget: 900, sessions: ['current'] })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('says that the current session is one of the newest, and includes it once', async () => {
    await shop([4, 4]);
    made.places.cwd = '/srv/shop';
    const done = await compose(
      made,
      'x',
      { budget: 900, latest: 2, sessions: ['current'] },
      { preview: true },
    );
    expect(done.components.map(({ sessionId }) => sessionId).sort()).toEqual(['alpha', 'bravo']);
    expect(done.notes).toContain(
      'The current session is also one of the 2 newest sessions; it is included once.',
    );
  });

  it('includes a past session in its state at that time, and the latest of that time', async () => {
    await shop([20, 20, 20]);
    const done = await compose(made, 'then', {
      budget: 4000,
      latest: 2,
      project: 'shop',
      asOf: '2026-01-02',
    });
    expect(done.components.map(({ sessionId, distance }) => [sessionId, distance])).toEqual([
      ['alpha', 2],
      ['bravo', 1],
    ]);
    const half = await compose(
      made,
      'half',
      { budget: 4000, sessions: ['bravo'], asOf: '2026-01-02T10:05:00Z' },
      { preview: true },
    );
    expect(half.markdown).toContain('Question 1.5');
    expect(half.markdown).not.toContain('Question 1.6');
    await expect(
      compose(made, 'x', { budget: 900, sessions: ['charlie'], asOf: '2026-01-02' }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });

  it('holds what was pinned after its version was made', async () => {
    await shop([30]);
    const ref = await findSession(made, 'alpha');
    await compressSession(made, { project: ref.projectId, session: ref.sessionId }, { ratio: 20 });
    const content = 'how does the price';
    await made.archive.change(SHOP, [
      {
        at: ['overlays'],
        append: {
          overlayId: 'o1',
          sessionId: 'alpha',
          markerId: 'm1',
          at: '2026-02-01T00:00:00Z',
          action: 'add',
          weight: 1,
          messageUuid: 'alpha-user-0',
          content,
          position: { start: 0, end: content.length },
          context: '',
          origin: 'user',
          src: 0,
        },
      },
    ]);
    const done = await compose(
      made,
      'pin',
      { budget: 4000, sessions: ['alpha:part1_v001'] },
      { preview: true },
    );
    expect(done.markdown).toContain(content);
  });

  it('knows another project and what is linked', async () => {
    await shop([4]);
    write('/srv/blog', 'blog-one', talk(9, 4, 9));
    await sync(made);
    await addLink(made, { session: 'blog-one', to: 'shop', reason: 'same prices' });
    const done = await compose(made, 'both', { budget: 3000, linked: true, latest: 2, project: 'shop' });
    expect(done.components.map(({ sessionId, projectId }) => [sessionId, projectId])).toEqual([
      ['blog-one', '-srv-blog'],
      ['alpha', undefined],
    ]);
    expect(done.markdown).toContain('project blog');
  });

  it('refuses an impossible request, and writes nothing', async () => {
    await shop([3, 3]);
    const before = readdirSync(join(made.places.archive, 'projects', SHOP), { recursive: true }).sort();
    const refused: [Parameters<typeof compose>[1], Parameters<typeof compose>[2], string][] = [
      ['x', { budget: 500 }, 'usage'],
      ['x', { budget: 500, sessions: ['nobody'] }, 'not-found'],
      ['x', { budget: 500, sessions: ['alpha:part1_v007'] }, 'not-found'],
      ['x', { budget: 5, sessions: ['alpha'] }, 'conflict'],
      ['x', { budget: 60, sessions: ['alpha:original'] }, 'conflict'],
      ['x', { budget: 500, sessions: ['alpha', 'alpha'] }, 'usage'],
      ['x', { budget: 500, sessions: ['alpha'], allocations: { alpha: 900 } }, 'usage'],
      ['../x', { budget: 500, sessions: ['alpha'] }, 'usage'],
    ];
    for (const [name, ask, code] of refused)
      await expect(compose(made, name, ask), JSON.stringify(ask)).rejects.toMatchObject({ code });
    expect(readdirSync(join(made.places.archive, 'projects', SHOP), { recursive: true }).sort()).toEqual(
      before,
    );
  });
});
