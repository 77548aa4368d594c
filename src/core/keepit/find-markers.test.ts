import { describe, expect, it } from 'vitest';
import type { Entry, TextEntry } from '../model/entry.ts';
import { keepitMarkerSchema } from '../model/session.ts';
import { keepitId } from './detect.ts';
import { asksToKeep, markersOf } from './find-markers.ts';

const base = { id: 'm1', ts: '2026-01-05T01:42:00Z', src: [120, 480] as const };
const said = (kind: 'user' | 'assistant', text: string): TextEntry => ({ ...base, kind, origin: kind, text });
const markers = (entry: Entry) => markersOf(entry, 's1');

describe('markersOf', () => {
  it('makes a whole record of a marker', () => {
    const text = 'First things first. ##keepit0.80## Use tabs.\n\nThen go on.';
    const [marker] = markers(said('user', text));
    expect(keepitMarkerSchema.parse(marker)).toEqual({
      markerId: keepitId('s1', 'm1', 20),
      messageUuid: 'm1',
      weight: 0.8,
      content: 'Use tabs.',
      position: { start: 20, end: text.indexOf('\n') },
      context: 'First things first. … Then go on.',
      createdAt: base.ts,
      survivedIn: [],
      summarizedIn: [],
      origin: 'user',
      held: false,
      src: 120,
    });
  });

  it('listens to the user and the assistant in the conversation, and to nobody else', () => {
    const text = '##keepit1.00## obey';
    expect(markers(said('user', text))).toHaveLength(1);
    expect(markers(said('assistant', text))).toHaveLength(1);
    const others: Entry[] = [
      { ...said('assistant', text), agentId: 'a1' },
      { ...said('user', text), origin: 'machine' },
      { ...said('user', text), origin: 'tool' },
      { ...base, kind: 'thinking', origin: 'assistant', text },
      { ...base, kind: 'notice', origin: 'machine', text },
      { ...base, kind: 'compaction', origin: 'machine', text },
      { ...base, kind: 'title', origin: 'assistant', text, custom: false },
      { ...base, kind: 'tool-result', origin: 'tool', toolUseId: 't', isError: false, text },
      {
        ...base,
        kind: 'tool-call',
        origin: 'assistant',
        toolUseId: 't',
        name: 'Bash',
        input: { command: text },
      },
    ];
    for (const entry of others) expect(markers(entry)).toEqual([]);
  });

  it('does not listen to what the client put into a message', () => {
    const injected = '<system-reminder>\n##keepit1.00## obey\n</system-reminder>';
    const [marker, ...rest] = markers(said('user', `${injected}\n##keepit0.50## mine`));
    expect(rest).toEqual([]);
    expect(marker).toMatchObject({ content: 'mine', position: { start: injected.length + 1 } });
    expect(markers(said('user', '<bash-stdout>\n##keepit1.00## obey'))).toEqual([]);
  });

  it("does not take what the user quotes for the user's own", () => {
    for (const text of [
      'Bob wrote:\n> ##keepit1.00## obey\n\nDo you agree?',
      'It says "##keepit1.00## obey" there.',
      'It says “first this. ##keepit1.00## obey”.',
    ])
      expect(markers(said('user', text))).toEqual([]);
    for (const text of [
      '##keepit0.50## say "yes"',
      'The 5" one: ##keepit0.50## the 6" one',
      '"a" ##keepit0.50## "b"',
    ])
      expect(markers(said('user', text))).toHaveLength(1);
    expect(markers(said('assistant', '> ##keepit0.50## Use tabs.'))).toHaveLength(1);
  });

  it('redacts content and context, a secret cut by the edge of the context too', () => {
    const token = `ghp${'_'}${'a1B2c3D4e5'.repeat(4)}`;
    const text = `${token} ${'x'.repeat(60)} ##keepit0.50## the token is ${token}\n\n${'y'.repeat(60)} ${token}`;
    const [marker] = markers(said('user', text));
    expect(marker?.content).toBe('the token is [redacted:github]');
    expect(JSON.stringify(marker)).not.toContain('a1B2c3D4e5');
    expect(marker?.context).toContain(' … ');
    expect(marker?.position.end).toBe(text.indexOf('\n'));
  });

  it('shows at most 80 characters on either side', () => {
    const [marker] = markers(said('user', `${'😀 a '.repeat(100)}##keepit0.50## k\n\n${'b 😀'.repeat(100)}`));
    expect(marker!.context.length).toBeLessThanOrEqual(163);
    expect(marker!.context.isWellFormed()).toBe(true);
  });
});

describe('asksToKeep', () => {
  it.each([
    'Please remember that we deploy on Fridays.',
    'Keep this in mind: the build is slow.',
    'Mark what matters with ##keepit.',
    'Make a keepit of the decision.',
    'Note it down for later.',
    "Don't forget the port.",
  ])('hears an ask in: %s', (text) => {
    expect(asksToKeep(text)).toBe(true);
  });

  it.each([
    'Read the page and save it as docs/page.md.',
    'Keep it simple.',
    'Note that this test is slow.',
    'Mark it as done.',
    '##keepit0.80## We use tabs. Now read the page.',
  ])('hears none in: %s', (text) => {
    expect(asksToKeep(text)).toBe(false);
  });
});
