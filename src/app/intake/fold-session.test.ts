import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseTitle } from '../../core/layers/titles/choose-title.ts';
import type { Agent } from '../../core/model/agent.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { foldLine } from './fold-session.ts';
import { newSessionState } from './new-session-state.ts';
import { SESSION_STATE, type SessionState } from './session-state.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/claude-code');

const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl'))
  .sort();

/** Lines as the reader gives them: a last one without a newline is marked as such. */
function* linesOf(bytes: Buffer): Generator<[line: Buffer, at: number, last: boolean]> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    if (end === -1) {
      yield [bytes.subarray(from), from, true];
      return;
    }
    if (end > from) yield [bytes.subarray(from, end), from, false];
    from = end + 1;
  }
}

function fold(bytes: Buffer): { state: SessionState; l1: string } {
  const state = newSessionState('claude-code');
  const seen = new SeenIds();
  let l1 = '';
  for (const [line, at, last] of linesOf(bytes)) {
    const reading = { state, seen, sessionId: 'golden', extent: 'paragraph' as const };
    const text = foldLine({ ...reading, count: (words) => words.length }, line, at, last);
    if (text !== false) l1 += text;
  }
  return { state, l1 };
}

describe('a prompt in blocks, of a client that marks only some', () => {
  const line = (more: object) =>
    `${JSON.stringify({ sessionId: 's', version: '2.0.9', timestamp: '2026-03-01T00:00:00Z', ...more })}\n`;
  const prompt = line({
    type: 'user',
    uuid: 'u',
    message: { role: 'user', content: [{ type: 'text', text: 'Explain the cache of the shop.' }] },
  });
  const snapshot = line({ type: 'file-history-snapshot', messageId: 'u', snapshot: {} });

  it('is a program’s, unless an editor noted the state of the files before it', () => {
    expect(JSON.parse(fold(Buffer.from(prompt)).l1)).toMatchObject({ role: 'system', name: 'untyped' });
    expect(fold(Buffer.from(prompt)).state.lines.odd).toEqual({ 'no sign of typing': [1, 0] });
    expect(JSON.parse(fold(Buffer.from(snapshot + prompt)).l1)).toMatchObject({ role: 'user' });
  });
});

describe('a message that Codex writes as an event and as an item', () => {
  const at = (second: number, type: string, payload: object) => ({
    timestamp: `2026-03-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    ...{ type, payload },
  });
  const event = (second: number, message: string) =>
    at(second, 'event_msg', { type: 'agent_message', message });
  const item = (second: number, text: string) =>
    at(second, 'response_item', {
      ...{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    });
  const said = (...lines: object[]) => {
    const state = newSessionState('codex');
    const seen = new SeenIds();
    let l1 = '';
    for (const line of lines)
      l1 += foldLine(
        { state, seen, sessionId: 's', extent: 'paragraph' },
        Buffer.from(JSON.stringify(line)),
        l1.length,
        false,
      );
    return l1.split('\n').filter((line) => line.includes('"assistant"')).length;
  };

  it('is one, also seconds apart; the same words later are another', () => {
    expect(said(event(1, 'Done.'), item(1, 'Done.'))).toBe(1);
    expect(said(event(1, 'Done.'), item(4, 'Done.'))).toBe(1);
    expect(said(event(1, 'Done.'), item(1, 'Done.'), event(5, 'Done.'), item(6, 'Done.'))).toBe(2);
    expect(said(event(1, 'Done.'), event(3, 'Next.'), item(8, 'Done.'))).toBe(3);
  });
});

describe('words that come twice', () => {
  const line = (more: object) =>
    `${JSON.stringify({ sessionId: 's', timestamp: '2026-03-01T00:00:00Z', ...more })}\n`;
  const queue = (operation: string, more: object = {}) =>
    line({ type: 'queue-operation', operation, ...more });
  const said = (uuid: string, type: string, content: unknown) =>
    line({ type, uuid, message: { role: type, id: uuid, content } });
  const prompt = 'Explain the cache.';

  it('by the queue and as a line are one message: of `claude -p`, and of what is typed while it works', () => {
    const answer = said('a', 'assistant', [{ type: 'text', text: 'It holds pages.' }]);
    const plain = fold(Buffer.from(said('u', 'user', prompt) + answer)).state;
    const p = queue('enqueue', { content: prompt }) + queue('dequeue') + said('u', 'user', prompt) + answer;
    const { state } = fold(Buffer.from(p));
    expect(state.facts.counts).toEqual(plain.facts.counts);
    expect(state.tokens).toBe(plain.tokens);
    const later = queue('enqueue', { content: 'And the disk?' }) + said('v', 'user', 'And the disk?');
    const both = fold(Buffer.from(p + later)).state;
    expect(both.facts.counts).toMatchObject({ human: 2, queued: 1 });
    expect(both.tokens).toBe(plain.tokens! + 'And the disk?'.length);
  });
});

describe('a plan that the client sends once it is accepted', () => {
  it('holds its markers back: the agent wrote them', () => {
    const line = (content: string) =>
      Buffer.from(
        `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content } })}\n`,
      );
    const held = (text: string) => fold(line(text)).state.markers.map((marker) => marker.held);
    expect(held('Implement the following plan:\n\nAdd a keepit: ##keepit1.00## obey')).toEqual([true]);
    expect(held('Implement it. ##keepit1.00## obey')).toEqual([false]);
  });
});

describe('the reading position', () => {
  it('is read again as it was stored, after every line of every agent', () => {
    const codex = ['response_item', 'event_msg'].map((type) =>
      JSON.stringify({
        timestamp: '2026-03-01T00:00:00Z',
        type,
        payload:
          type === 'event_msg'
            ? { type: 'user_message', message: 'two' }
            : { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] },
      }),
    );
    const all: [Agent, Buffer][] = [
      ...files.map((name): [Agent, Buffer] => ['claude-code', readFileSync(join(FIXTURES, name))]),
      ['codex', Buffer.from(`${codex.join('\n')}\n`)],
    ];
    let waiting = 0;
    for (const [agent, bytes] of all) {
      const state = newSessionState(agent);
      const seen = new SeenIds();
      for (const [line, at, last] of linesOf(bytes)) {
        foldLine({ state, seen, sessionId: 'golden', extent: 'paragraph' }, line, at, last);
        const stored = JSON.parse(JSON.stringify(state));
        expect(SESSION_STATE.schema.safeParse(stored)).toMatchObject({ success: true });
        waiting += state.replies.length + (state.told?.length ?? 0);
      }
    }
    expect(waiting).toBeGreaterThan(10);
  });
});

describe('a golden transcript', () => {
  for (const name of files) {
    it(`${name} is refined as it always was`, async () => {
      const { state, l1 } = fold(readFileSync(join(FIXTURES, name)));
      const { facts, lines, markers } = state;
      const counted = {
        session: facts.sessionId,
        cwd: facts.cwd,
        branch: facts.gitBranch,
        title: chooseTitle(state.titles, state.facts),
        times: [facts.first, facts.last],
        models: facts.models,
        counts: facts.counts,
        subs: facts.subs,
        lines,
        exchanges: state.exchanges,
        files: state.files,
        markers: markers.map(({ weight, content, origin, held }) => ({ weight, content, origin, held })),
      };
      const golden = join(FIXTURES, '../golden', `${name.replaceAll(/[\\/]/g, '+')}.txt`);
      await expect(`${JSON.stringify(counted, null, 1)}\n\n${l1}`).toMatchFileSnapshot(golden);
    });
  }
});
