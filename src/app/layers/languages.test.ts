import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { searchMemory } from '../search/rolling.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { listConcepts } from './concepts.ts';
import { listFacts } from './facts.ts';

type Language = { steps: Step[]; queries: string[]; rule: string; topic: RegExp };

const LANGUAGES: Record<string, Language> = {
  Korean: {
    steps: [
      { you: '결제 화면의 할인 쿠폰을 고쳐 주세요. 앞으로는 가격을 정수로 저장해 주세요.' },
      { edit: 'ko/coupon.ts' },
      { agent: '할인 쿠폰 계산을 수정했습니다. 결제 화면 테스트도 통과합니다.' },
      { you: '할인 쿠폰에 만료 날짜를 넣어 주세요.' },
      { edit: 'ko/coupon.ts' },
      { agent: '할인 쿠폰에 만료 날짜를 추가했습니다.' },
    ],
    queries: ['할인 쿠폰', '만료 날짜'],
    rule: '앞으로는 가격을 정수로 저장해 주세요.',
    topic: /쿠폰|할인/,
  },
  Japanese: {
    steps: [
      { you: '検索機能の並び順を直してください。今後は必ず単体テストを書いてください。' },
      { edit: 'ja/ranking.ts' },
      { agent: '検索機能の並び順を修正しました。' },
      { you: '検索機能に絞り込みを付けてください。' },
      { edit: 'ja/ranking.ts' },
      { agent: '検索機能に絞り込みを追加しました。' },
    ],
    queries: ['検索機能', '絞り込み'],
    rule: '今後は必ず単体テストを書いてください。',
    topic: /検索/,
  },
  Chinese: {
    steps: [
      { you: '请修复登录按钮的错误。从现在开始不要直接推送到主分支。' },
      { edit: 'zh/login.ts' },
      { agent: '已修复登录按钮。' },
      { you: '请给登录按钮加上加载动画。' },
      { edit: 'zh/login.ts' },
      { agent: '已添加登录按钮的加载动画。' },
    ],
    queries: ['登录按钮', '加载动画'],
    rule: '从现在开始不要直接推送到主分支。',
    topic: /登录/,
  },
  German: {
    steps: [
      { you: 'Bitte die Rechnungen reparieren. Ab jetzt immer die Änderungen im Protokoll vermerken.' },
      { edit: 'de/rechnung.ts' },
      { agent: 'Die Rechnungen zeigen nun die Größe der Bestellung. Der Fehler ist behoben.' },
      { you: 'Die Rechnung soll auch den Rabatt zeigen.' },
      { edit: 'de/rechnung.ts' },
      { agent: 'Jede Rechnung zeigt nun den Rabatt.' },
    ],
    // Other forms of the words than were said.
    queries: ['Rechnung Bestellungen', 'Grosse der Bestellung', 'Fehler in Rechnungen'],
    rule: 'Ab jetzt immer die Änderungen im Protokoll vermerken.',
    topic: /rechnung/i,
  },
};

let made: TestWorld;
const idOf = (place: number) => `${String(place).repeat(8)}-aaaa-4aaa-8aaa-00000000000${place}`;

beforeAll(async () => {
  made = makeWorld();
  for (const [place, { steps }] of Object.values(LANGUAGES).entries()) {
    const path = join(made.projects, '-srv-shop', `${idOf(place)}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, workSession(idOf(place), steps, `2026-01-0${place + 1}`));
  }
  await sync(made);
});
afterAll(() => made.remove());

describe.each(Object.entries(LANGUAGES))('%s', (name, { queries, rule, topic }) => {
  const session = idOf(Object.keys(LANGUAGES).indexOf(name));

  it('is found by its words', async () => {
    for (const query of queries) {
      const { hits } = await search(made, { query, limit: 3 });
      expect(hits[0]?.sessionId, query).toBe(session);
      const found = await searchMemory(made, { projects: ['-srv-shop' as ProjectId], query, deep: true });
      expect(found.hits[0]?.text, query).toMatch(topic);
      expect(found.sessions[0]?.sessionId, query).toBe(session);
    }
  });

  it('makes a rule of what is said for all time, and one concept of what belongs together', async () => {
    const rules = (await listFacts(made, { kind: 'rule' })).items;
    expect(rules.map(({ content }) => content)).toContain(rule);
    const concepts = (await listConcepts(made)).items.filter(({ sessions }) => sessions.includes(session));
    expect(concepts.map(({ exchanges }) => exchanges.length)).toEqual([2]);
    expect(concepts[0]?.name).toMatch(topic);
  });
});
