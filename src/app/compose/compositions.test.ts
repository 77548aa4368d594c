import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { compressSession } from '../compress/compress.ts';
import { prune, whatToPrune } from '../compress/prune.ts';
import { addLink, listLinks, removeLink } from '../find/links.ts';
import { findSession } from '../find/session.ts';
import { verify } from '../maintenance/verify.ts';
import { suggest } from '../recall/suggest.ts';
import { sync } from '../sync/sync.ts';
import { compose } from './compose.ts';
import { deleteComposition, findComposition, listCompositions, showComposition } from './compositions.ts';
import { reuseComposition } from './reuse.ts';

const SHOP = '-srv-shop' as ProjectId;
let made: TestWorld;
beforeEach(() => {
  made = makeWorld();
});
afterEach(async () => made.remove());

function write(cwd: string, id: string, turns: Turn[]): string {
  const folder = join(made.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, transcript(cwd, id, turns));
  return path;
}

async function shop(): Promise<void> {
  const talk = (about: string): Turn[] =>
    Array.from({ length: 30 }, (_, at) => ({
      you: `How is ${about} ${at} done?`,
      agent: `With ${about}-${at}.ts, which reads table ${at * 3} and writes row ${at * 7}. It took ${at} minutes.`,
    }));
  write('/srv/shop', 'alpha', talk('basket'));
  write('/srv/shop', 'bravo', talk('invoice'));
  await sync(made);
}

const messages = async (id: string) => {
  const { row } = await findSession(made, id);
  const text = await made.archive.files.read(row.projectId as ProjectId, row.l1.file);
  return (text?.toString() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).text);
};

describe('a saved composition', () => {
  it('that was changed by hand is named by verify', async () => {
    await shop();
    await compose(made, 'basket', { budget: 700, sessions: ['alpha'] });
    expect((await verify(made)).problems).toEqual([]);
    const folder = join(made.places.archive, 'projects', SHOP, 'composed', 'basket');
    appendFileSync(join(folder, 'composed.md'), 'more\n');
    expect((await verify(made)).problems.map(({ message }) => message)).toEqual([
      'composed/basket/composed.md was changed.',
    ]);
  });

  it('stays readable and can be rebuilt after its versions were deleted', async () => {
    await shop();
    const { projectId, sessionId } = await findSession(made, 'alpha');
    const ref = { project: projectId, session: sessionId };
    await compressSession(made, ref, { ratio: 8 });
    const first = await compose(made, 'basket', { budget: 700, sessions: ['alpha:v001', 'bravo'] });
    await prune(made, ref, await whatToPrune(made, ref, ['v001']), { force: true });
    const shown = await showComposition(made, await findComposition(made, 'BASKET'));
    expect(shown.markdown).toBe(first.markdown);
    expect(shown.gone).toEqual(['part1_v001 of alpha was deleted; this composition keeps its text.']);
    const again = await reuseComposition(made, shown.record, { budget: 500, as: 'shorter' });
    expect(again.totalTokens).toBeLessThanOrEqual(500);
    const list = await listCompositions(made);
    expect(list.items.map(({ name }) => name)).toEqual(['shorter', 'basket']);
    await deleteComposition(made, shown.record);
    expect((await listCompositions(made)).items.map(({ name }) => name)).toEqual(['shorter']);
    expect(await made.archive.files.list(SHOP, 'composed')).toEqual(
      ['composed.jsonl', 'composed.md', 'composition.json'].map((file) => `shorter/${file}`),
    );
  });

  it('includes what a session gained after the part whose version was chosen', async () => {
    await shop();
    const { projectId, sessionId } = await findSession(made, 'alpha');
    await compressSession(made, { project: projectId, session: sessionId }, { ratio: 2 });
    const first = await compose(made, 'basket', { budget: 1500, sessions: ['alpha:v001', 'bravo'] });
    expect(first.components[0]!.versionId).toBe('part1_v001');
    const path = join(made.projects, SHOP, 'alpha.jsonl');
    const more = transcript('/srv/shop', 'alpha', [
      { you: 'Which port has the proxy?', agent: 'The proxy listens on port 4418 now.' },
    ]);
    appendFileSync(
      path,
      more.replaceAll('"uuid":"alpha-', '"uuid":"later-').replaceAll('"msg_', '"msg_later_'),
    );
    await sync(made);
    const again = await reuseComposition(made, await findComposition(made, 'basket'), { budget: 1500 });
    expect(again.components[0]!.versionId).toContain('part1_v001+');
    expect(again.markdown).toContain('port 4418');
    expect(again.totalTokens).toBeLessThanOrEqual(1500);
  });

  it('is replaced only on request, and a missing version is selected again', async () => {
    await shop();
    const named = await compose(made, 'one', {
      budget: 900,
      sessions: ['alpha'],
      recompress: { alpha: { ratio: 12 } },
    });
    expect(named.components[0]!.recompress?.settings.compactionRatio).toBe(12);
    await expect(compose(made, 'One', { budget: 900, sessions: ['bravo'] })).rejects.toMatchObject({
      code: 'conflict',
    });
    const { versionId } = named.components[0]!;
    await compose(made, 'one', { budget: 900, sessions: [`alpha:${versionId}`] }, { force: true });
    const { projectId, sessionId } = await findSession(made, 'alpha');
    const ref = { project: projectId, session: sessionId };
    // By its whole name, also where it was asked for by its short one: a second part has versions of the same number.
    const short = { budget: 900, sessions: [`alpha:${versionId.split('_')[1]}`] };
    const stored = await compose(made, 'short', short);
    expect(stored.request?.components[0]?.versionId).toBe(versionId);
    await prune(made, ref, await whatToPrune(made, ref, [versionId]), { force: true });
    const again = await reuseComposition(made, await findComposition(made, 'one'), {});
    expect(again.notes.join()).toContain('no longer exists');
    expect(again.components[0]!.versionId).toBe('composed');
  });

  it('compresses a session again once, also when its use has made the session newer', async () => {
    await shop();
    const ask = { budget: 900, sessions: ['bravo'], recompress: { bravo: { ratio: 12 } } };
    const first = await compose(made, 'one', ask);
    const second = await compose(made, 'two', ask);
    expect(first.components[0]!.distance).not.toBe(second.components[0]!.distance);
    expect(second.components[0]!.versionId).toBe(first.components[0]!.versionId);
    expect((await findSession(made, 'bravo')).row.compressions).toHaveLength(1);
  });

  it('knows the sessions that it was pasted into, and what was pasted is not remembered', async () => {
    await shop();
    const { markdown } = await compose(made, 'basket', { budget: 700, sessions: ['alpha'] });
    write('/srv/shop', 'next', [
      { you: `${markdown}\nNow add a voucher.`, agent: 'Added.', at: '2026-02-01T00:00:00.000Z' },
    ]);
    await sync(made);
    expect(await messages('next')).toEqual(['Now add a voucher.', 'Added.']);
    const row = await findComposition(made, 'basket');
    expect(row.usedInSessions).toEqual(['next']);
    expect(row.lastUsed).toBe('2026-02-01T00:00:00.000Z');
    const { record } = { record: (await findSession(made, 'next')).row };
    expect(record.originalTokens).toBeLessThan(20);
  });

  it('becomes a session that the agent can resume; only what follows is remembered', async () => {
    await shop();
    made.places.cwd = '/srv/shop';
    const folder = join(made.projects, '-srv-shop');
    const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    const done = await compose(
      made,
      'basket',
      { budget: 900, sessions: ['alpha', 'bravo'] },
      { resume: true },
    );
    const [resumed] = done.resumed!;
    const lines = readFileSync(resumed!.file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const said = lines.filter(({ type }) => type !== 'summary');
    expect(said).toHaveLength(resumed!.lines);
    said.forEach((line, index) => {
      expect(line.parentUuid).toBe(index === 0 ? null : said[index - 1].uuid);
      expect(line.type).toBe(index % 2 === 0 ? 'user' : 'assistant');
      expect(line).toMatchObject({ sessionId: resumed!.sessionId, cwd: '/srv/shop', isSidechain: false });
    });
    for (const [name, text] of before) expect(readFileSync(join(folder, name!), 'utf8')).toBe(text);
    const opened = { type: 'file-history-snapshot', messageId: 'm', snapshot: {} };
    appendFileSync(resumed!.file, `${JSON.stringify(opened)}\n`);
    const unused = await sync(made);
    expect(unused).toMatchObject({ added: 0, skipped: 1, leftOut: { unusedComposition: 1 } });
    await expect(findSession(made, resumed!.sessionId)).rejects.toMatchObject({ code: 'not-found' });
    expect((await findComposition(made, 'basket')).usedInSessions).toEqual([]);
    const next = transcript('/srv/shop', resumed!.sessionId, [{ you: 'Go on.', agent: 'Gone on.' }]);
    appendFileSync(resumed!.file, next);
    expect(await sync(made)).toMatchObject({ added: 1, skipped: 0 });
    expect(await messages(resumed!.sessionId)).toEqual(['Go on.', 'Gone on.']);
    expect((await findComposition(made, 'basket')).usedInSessions).toEqual([resumed!.sessionId]);
  });
});

describe('a link', () => {
  it('is kept once, listed and removed', async () => {
    await shop();
    write('/srv/blog', 'blog-one', [{ you: 'Write.', agent: 'Written.' }]);
    await sync(made);
    await addLink(made, { session: 'blog-one', to: 'shop', reason: 'same words' });
    await addLink(made, { session: 'blog-one', to: 'shop', reason: 'other words' });
    expect(await listLinks(made)).toMatchObject([
      { sourceSession: 'blog-one', targetProject: SHOP, reason: 'other words' },
    ]);
    await expect(addLink(made, { session: 'alpha', to: 'shop', reason: '' })).rejects.toMatchObject({
      code: 'usage',
    });
    const { items } = await suggest(made, { topics: ['basket'], project: 'shop' });
    expect(items.find(({ sessionId }) => sessionId === 'blog-one')?.reasons).toEqual(['linked: other words']);
    await removeLink(made, 'blog-one');
    expect(await listLinks(made)).toEqual([]);
    await expect(removeLink(made, 'blog-one')).rejects.toMatchObject({ code: 'not-found' });
  });
});
