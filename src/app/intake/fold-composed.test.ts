import { describe, expect, it } from 'vitest';
import { beginMark, composedId, endMark } from '../../core/text/composed-marks.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { foldLine } from './fold-session.ts';
import { newSessionState } from './new-session-state.ts';
import type { SessionState } from './session-state.ts';

const PREFIX = '0c0d0e0f-1111-4222-8333-';
const own = (place: number) => `${PREFIX}${String(place).padStart(12, '0')}`;

type Said = { id: string; role: 'user' | 'assistant'; text: string };

function line({ id, role, text }: Said, index: number): Buffer {
  const content = role === 'user' ? text : [{ type: 'text', text }];
  const message = { role, content, ...(role === 'assistant' ? { id: `m${id}` } : {}) };
  const timestamp = `2026-01-05T10:00:${String(index).padStart(2, '0')}.000Z`;
  const object = {
    parentUuid: null,
    cwd: '/srv/shop',
    sessionId: 's',
    type: role,
    message,
    uuid: id,
    timestamp,
  };
  return Buffer.from(JSON.stringify(object));
}

/** `steps`: after each line the state goes to the disk and comes back. */
function fold(said: Said[], steps: boolean): { l1: { text?: string }[]; state: SessionState } {
  let state = newSessionState('claude-code');
  const seen = new SeenIds();
  let l1 = '';
  let at = 0;
  said.forEach((one, index) => {
    const bytes = line(one, index);
    l1 += foldLine({ state, seen, sessionId: 's', extent: 'paragraph' }, bytes, at, false);
    at += bytes.length + 1;
    if (steps) state = JSON.parse(JSON.stringify(state));
  });
  const lines = l1.split('\n').filter(Boolean);
  return { l1: lines.map((text) => JSON.parse(text)), state };
}

const texts = (said: Said[]) => {
  const once = fold(said, false);
  const stepped = fold(said, true);
  expect(stepped.l1).toEqual(once.l1);
  return { texts: once.l1.map(({ text }) => text), composed: stepped.state.composed };
};

const resumed: Said[] = [
  { id: own(0), role: 'user', text: `${beginMark('0123456789abcdef', 3)} Context of two sessions.` },
  { id: own(1), role: 'assistant', text: '##keepit1.00## told before' },
  { id: own(2), role: 'user', text: 'asked before' },
];

describe('composed text in a session', () => {
  it('is left out of a resumed session, line by line, and what follows is remembered', () => {
    const { texts: kept, composed } = texts([
      ...resumed,
      { id: 'n1', role: 'user', text: 'Go on.' },
      { id: 'n2', role: 'assistant', text: 'I went on.' },
    ]);
    expect(kept).toEqual(['Go on.', 'I went on.']);
    expect(composed?.uses).toEqual([['0123456789abcdef', '2026-01-05T10:00:00.000Z']]);
    expect(fold(resumed, false).state.markers).toEqual([]);
  });

  it('ends where the user went back into it and asked again', () => {
    const kept = texts([...resumed.slice(0, 2), { id: 'n1', role: 'user', text: 'Another way.' }]);
    expect(kept.texts).toEqual(['Another way.']);
  });

  it('is distinguished if a fork of the session begins with its own lines', () => {
    const early: Said = { id: 'n0', role: 'user', text: 'Typed early.' };
    expect(texts([early, ...resumed, { id: 'n1', role: 'user', text: 'Go on.' }]).texts).toEqual([
      'Typed early.',
      'Go on.',
    ]);
  });

  it('is counted where the lines were given new ids', () => {
    const renamed = resumed.map((one, index) => ({ ...one, id: `renamed-${index}` }));
    expect(texts([...renamed, { id: 'n1', role: 'user', text: 'Go on.' }]).texts).toEqual(['Go on.']);
  });

  it('never hides lines of a session that already began', () => {
    const said: Said[] = [
      { id: 'a', role: 'user', text: 'First of all.' },
      { id: 'b', role: 'user', text: `Look: ${beginMark('0123456789abcdef', 999999)} pasted` },
      { id: 'c', role: 'assistant', text: 'Seen.' },
    ];
    expect(texts(said).texts).toEqual(['First of all.', 'Look:', 'Seen.']);
  });

  it('is cut out of a message of the user, and is honoured nowhere else', () => {
    const body = 'what was said earlier ##keepit1.00## not the user';
    const pasted = `${beginMark(composedId(body))}\n${body}\n${endMark(composedId(body))}`;
    const { texts: kept } = texts([
      { id: 'a', role: 'user', text: `${pasted}\n\nNow fix the basket.` },
      { id: 'b', role: 'assistant', text: `I quote: ${pasted}` },
      { id: 'c', role: 'user', text: pasted },
    ]);
    expect(kept).toEqual(['Now fix the basket.', `I quote: ${pasted}`]);
  });
});
