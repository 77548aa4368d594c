import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeSession } from '../../../test/made/transcript.ts';
import { detectAgent, readLine } from './read-line.ts';

const read = (text: string, last = false) => readLine('claude-code', Buffer.from(text), 0, last);

describe('reading a line', () => {
  it('gives the same entries whether or not parsing was put off', () => {
    fc.assert(
      fc.property(madeSession, (lines) => {
        for (const { text } of lines) {
          const quick = read(text);
          const whole = read(text, true);
          if (quick.skipped !== undefined)
            expect(whole.objects.flatMap((object) => object.entries)).toEqual([]);
          else {
            const plain = quick.objects.flatMap((object) =>
              object.entries.map(({ ...entry }) => ({ ...entry })),
            );
            expect(plain).toEqual(
              whole.objects.flatMap((object) => object.entries.map((entry) => ({ ...entry }))),
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on any bytes, and counts what is no JSON object as bad', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, last) => {
        const reading = readLine('claude-code', Buffer.from(bytes), 0, last);
        expect(reading.bad || reading.objects.length > 0 || reading.skipped !== undefined).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads no part of a line that was cut at any byte', () => {
    const text = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: 'Grüße, 世界 🎉 "quoted" \\ {[' },
      uuid: '4c1e6ab0-43a6-4b0a-9bd0-3b1ef4b5cf9c',
      timestamp: '2026-03-01T00:00:00.000Z',
      later: { stdout: 'x' },
    });
    const bytes = Buffer.from(text);
    for (let cut = 0; cut < bytes.length; cut++) {
      expect(readLine('claude-code', bytes.subarray(0, cut), 0, true).bad, `cut at ${cut}`).toBe(true);
    }
    expect(readLine('claude-code', bytes, 0, true).objects[0]?.entries[0]).toMatchObject({ kind: 'user' });
  });

  it('reads both of two objects on one line, with and without a cut result', () => {
    const one =
      '{"type":"user","message":{"role":"user","content":"one"},"uuid":"a","timestamp":"2026-03-01T00:00:00Z","toolUseResult":{"a":1}}';
    const two =
      '{"type":"user","message":{"role":"user","content":"two"},"uuid":"b","timestamp":"2026-03-01T00:00:00Z"}';
    const texts = read(one + two).objects.flatMap((object) =>
      object.entries.map((entry) => ('text' in entry ? entry.text : '')),
    );
    expect(texts).toEqual(['one', 'two']);
  });

  it('does not believe a forged end inside a result', () => {
    const forged = JSON.stringify({
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: 't1', type: 'tool_result', content: 'x"}]},"uuid":"forged' }],
      },
      uuid: 'real',
      timestamp: '2026-03-01T00:00:00Z',
    });
    expect(read(forged).objects[0]?.entries[0]).toMatchObject({ id: 'real', text: 'x"}]},"uuid":"forged' });
  });

  it('does not break on what is broken inside a result that nobody has parsed yet', () => {
    const line = `{"parentUuid":null,"cwd":"/s","sessionId":"s","type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"tab \t and \\x"}]},"uuid":"u","timestamp":"2026-03-01T00:00:00Z"}`;
    const [entry] = read(line).objects[0]?.entries ?? [];
    expect(entry).toMatchObject({ kind: 'tool-result', text: '' });
  });

  it('counts unknown types and passes over known ones that hold nothing', () => {
    expect(read('{"type":"hologram","x":{"y":1}}').objects[0]?.unknown).toBe('hologram');
    expect(read('{"type":"file-history-snapshot","messageId":"m"}').skipped).toBe('file-history-snapshot');
    expect(read('{"type":"__proto__"}').objects[0]?.unknown).toBe('__proto__');
  });
});

describe('telling the agent', () => {
  it('knows a Claude Code line and a generic chat line from anything else', () => {
    const line = '{"type":"user","uuid":"x","message":{"role":"user","content":"hi"}}';
    expect(detectAgent(Buffer.from(line))).toBe('claude-code');
    expect(detectAgent(Buffer.from('{"ts":"2026-01-01","role":"user","text":"hi"}'))).toBe('generic');
    expect(detectAgent(Buffer.from('{"name":"package"}'))).toBeUndefined();
    expect(detectAgent(Buffer.from('not json'))).toBeUndefined();
  });

  it.each([
    ['file-history-snapshot', { messageId: 'm', snapshot: { trackedFileBackups: {} } }],
    ['summary', { summary: 'The login page', leafUuid: 'u' }],
    ['queue-operation', { operation: 'enqueue', content: 'hi' }],
    ['permission-mode', { permissionMode: 'plan', sessionId: 's' }],
    ['system', { uuid: 'u', sessionId: 's', timestamp: '2026-01-01T00:00:00Z', subtype: 'init' }],
    ['later-kind', { uuid: 'u', sessionId: 's', timestamp: '2026-01-01T00:00:00Z', isSidechain: false }],
  ])('knows Claude Code by a line of type %s alone, although nobody spoke yet', (type, fields) => {
    expect(detectAgent(Buffer.from(JSON.stringify({ type, ...fields })))).toBe('claude-code');
  });

  const envelope = { uuid: 'u', parentUuid: null, sessionId: 's', timestamp: '2026-01-01T00:00:00Z' };
  it.each([
    ['qwen', { ...envelope, type: 'user', cwd: '/p', message: { role: 'user', parts: [{ text: 'hi' }] } }],
    ['qwen', { ...envelope, type: 'system', subtype: 'ui_telemetry', systemPayload: {} }],
    ['pi', { type: 'session', version: 3, id: 'x', timestamp: '2026-01-01T00:00:00Z', cwd: '/p' }],
    ['droid', { type: 'session_start', id: 'x', title: 't', cwd: '/p', version: '0.81.0' }],
    ['kimi', { type: 'context.append_message', message: { role: 'user', content: [] }, time: 1 }],
    ['grok', { type: 'user', content: [{ type: 'text', text: 'hi' }], prompt_index: 0 }],
    [
      'antigravity',
      { step_index: 0, source: 'USER_EXPLICIT', type: 'USER_INPUT', status: 'DONE', content: 'hi' },
    ],
    ['cursor', { role: 'user', message: { content: [{ type: 'text', text: 'hi' }] } }],
  ])('knows a line of %s', (agent, line) => {
    expect(detectAgent(Buffer.from(JSON.stringify(line)))).toBe(agent);
  });

  it.each([
    ['Droid stream', { type: 'message', session_id: 's', role: 'user', text: 'hi', id: 'm' }],
    ['Droid init', { type: 'system', subtype: 'init', sessionId: 's', timestamp: 1_767_812_640_310 }],
    ['Grok', { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Thinking.' }] }],
    ['messages of an API', { role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  ])("takes a line of %s for nobody's that is read here", (_, line) => {
    expect(detectAgent(Buffer.from(JSON.stringify(line)))).toBeUndefined();
  });
});
