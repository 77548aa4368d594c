import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Model, ModelAsk } from '../../src/ports/model.ts';
import { FakeModelServer } from '../made/fake-model-server.ts';

export type ModelUnderTest = {
  name: string;
  open(fake: FakeModelServer, timeoutMs: number): Model;
  /** Sees the answer come in, and where a stream stops. */
  streams: boolean;
};

const KEY = 'sk-ant-fake-dummy';
const ASK: ModelAsk = {
  model: 'claude-haiku-5-5',
  system: 'You summarise what was said.',
  prompt: 'Ünïcode 日本語 and a\nsecond line.',
  maxTokens: 2000,
  session: '7b1d2c3e-0000-4000-8000-000000000001',
};
/** How long a client takes to start depends on what the machine does besides. */
const PATIENT_MS = 600_000;
const LONG = 'A sentence that is long enough to come in several pieces, one after the other. '.repeat(4);

/** What every way to a model must do. */
export function modelContract({ name, open, streams }: ModelUnderTest): void {
  describe(name, () => {
    let fake: FakeModelServer;
    beforeEach(async () => {
      fake = await FakeModelServer.start();
    });
    afterEach(() => fake.stop());

    test('brings question and answer across as they are, with what it cost', async () => {
      fake.answer = () => `Zürich — ${LONG}`;
      const answer = await open(fake, PATIENT_MS).ask(ASK);
      expect(answer).toMatchObject({ kind: 'text', text: `Zürich — ${LONG}`, end: 'done' });
      expect(answer.usage).toEqual({ input: expect.any(Number), output: expect.any(Number) });
      expect(fake.asked).toHaveLength(1);
      expect(fake.asked[0]).toMatchObject({ model: ASK.model, maxTokens: ASK.maxTokens });
      expect(fake.asked[0]!.prompt).toContain(ASK.prompt);
      expect(fake.asked[0]!.system).toContain(ASK.system);
    });

    test('tells an answer that was cut, and one that was refused', async () => {
      fake.answer = () => ({ text: 'It began wi', stop: 'length' });
      const cut = await open(fake, PATIENT_MS).ask(ASK);
      // The agent's own command calls a cut answer an error.
      expect([cut.kind === 'text' ? cut.end : cut.kind]).toEqual([streams ? 'cut' : expect.any(String)]);
      fake.answer = () => ({ text: 'No.', stop: 'refusal' });
      const refused = await open(fake, PATIENT_MS).ask(ASK);
      if (streams) expect(refused).toMatchObject({ kind: 'text', end: 'refused' });
      else expect(JSON.stringify(refused)).not.toContain('"end":"done"');
    });

    test('says of each failure whether to come back, and never names the key', async () => {
      const statuses = [
        [401, 'key', false],
        [404, 'model', false],
        [400, 'rejected', false],
        [429, 'busy', true],
        [529, 'busy', true],
      ] as const;
      for (const [status, why, again] of streams ? statuses : statuses.slice(3)) {
        fake.answer = () => ({ status, message: `because of ${KEY}`, headers: { 'retry-after': '2' } });
        const answer = await open(fake, PATIENT_MS).ask(ASK);
        expect(answer).toMatchObject({ kind: 'failed', why, again });
        if (streams) expect(JSON.stringify(answer)).not.toContain(KEY);
        if (streams && again) expect(answer).toMatchObject({ waitMs: 2000 });
      }
    });

    test('gives up on one that says nothing, and stops when it is told to', async () => {
      fake.answer = () => ({ hang: true });
      expect(await open(fake, 400).ask(ASK)).toMatchObject({ kind: 'failed', why: 'broken', again: true });
      const stop = new AbortController();
      const asked = open(fake, PATIENT_MS).ask({ ...ASK, signal: stop.signal });
      setTimeout(() => stop.abort(), 100);
      expect(await asked).toMatchObject({ kind: 'failed', why: 'stopped', again: false });
    });

    test('looks whether it is there without asking anything', async () => {
      expect(await open(fake, PATIENT_MS).probe()).toMatchObject({ reached: true });
      expect(fake.asked).toEqual([]);
    });

    if (!streams) return;

    test.each(['breakAfter', 'endAfter', 'errorAfter'] as const)(
      'half an answer is no answer (%s)',
      async (how) => {
        fake.answer = () => ({ text: LONG, [how]: 100 });
        const answer = await open(fake, PATIENT_MS).ask(ASK);
        expect(answer).toMatchObject({ kind: 'failed', why: 'broken', again: true });
        expect(answer).not.toHaveProperty('text');
      },
    );

    test('shows how much came in so far, and takes an answer that comes as a whole', async () => {
      fake.answer = () => LONG;
      const seen: number[] = [];
      await open(fake, PATIENT_MS).ask({ ...ASK, onText: (characters) => void seen.push(characters) });
      expect(Math.max(...seen)).toBe(LONG.length);
      expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    });

    test('nobody at home is told at once', async () => {
      const model = open(fake, PATIENT_MS);
      await fake.stop();
      expect(await model.ask(ASK)).toMatchObject({
        kind: 'failed',
        why: 'unreachable',
        again: false,
        usage: 'nothing',
      });
      expect(await model.probe()).toMatchObject({ reached: false });
      fake = await FakeModelServer.start();
    });
  });
}
