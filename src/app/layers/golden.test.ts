import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conceptsOf } from '../../core/layers/concepts/concepts.ts';
import { exchangeRecords } from '../../core/layers/exchanges/records.ts';
import { factsOf } from '../../core/layers/facts/facts.ts';
import type { FactFile } from '../../core/model/fact.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { foldLine } from '../intake/fold-session.ts';
import { newSessionState } from '../intake/new-session-state.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/layers');

function refined(name: string): L1Line[] {
  const bytes = readFileSync(join(FIXTURES, `${name}.jsonl`));
  const state = newSessionState('claude-code');
  const seen = new SeenIds();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    text += foldLine(
      { state, seen, sessionId: name, extent: 'paragraph' },
      bytes.subarray(at, end),
      at,
      false,
    );
    at = end + 1;
  }
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as L1Line]));
}

/** The facts of golden transcripts, all of one project. */
function factsIn(...names: string[]): FactFile {
  const sessions = names.map((name) => ({
    sessionId: name,
    exchanges: exchangeRecords(name, refined(name)),
  }));
  return factsOf(sessions, conceptsOf(sessions));
}

const rules = (facts: FactFile) => facts.permanent.rules.map(({ content }) => content);

describe('said by the user', () => {
  it('"remember" and "from now on" make a rule at once, with its source', () => {
    const facts = factsIn('rule-said');
    expect(rules(facts)).toEqual([
      'Remember that prices are kept in cents, never as floats.',
      'From now on run the linter before every commit.',
    ]);
    expect(facts.permanent.rules[0]).toMatchObject({
      source: 'user',
      confidence: 0.8,
      contradictions: 0,
      last_validated: '2026-01-05',
      sources: [{ sessionId: 'rule-said', src: 0 }],
    });
  });

  it('memories of old days, questions, "yet", "for now", quotes and code make none', () => {
    const facts = factsIn('rule-not-said');
    expect(rules(facts)).toEqual([]);
    expect(facts.candidates).toEqual([]);
    expect(facts.permanent.semantic).toEqual([]);
  });

  it('files, pages, commands, attachments, injected text, subagents and the agent make none', () => {
    const facts = factsIn('rule-planted');
    expect(rules(facts)).toEqual([]);
    expect(facts.candidates).toEqual([]);
    expect(facts.permanent.semantic).toEqual([]);
    expect(facts.permanent.core_logic).toEqual([]);
  });

  it('what only hints is a rule once it comes again, and until then a candidate', () => {
    expect(rules(factsIn('rule-recurs'))).toEqual([
      "Please don't amend commits, it breaks the deploy hooks.",
    ]);
    const once = factsIn('rule-once');
    expect(rules(once)).toEqual([]);
    expect(once.candidates.map(({ kind, content }) => [kind, content])).toEqual([
      ['rule', "Please don't amend commits, it breaks the deploy hooks."],
    ]);
  });
});

describe('a repeated solution', () => {
  it('is a problem that came ten times before it was solved', () => {
    expect(factsIn('repeated-solution').permanent.solutions).toMatchObject([
      {
        trigger: 'repeated',
        attempts: 10,
        confidence: 0.95,
        problem: '`npm test` fails: FAIL src/basket.test.ts > adds a price: expected N to be N',
        solution: 'The basket test passes: the rounding was done twice.',
      },
    ]);
  });

  it('is not one that came nine times', () => {
    expect(factsIn('not-repeated').permanent.solutions).toEqual([]);
  });
});

describe('a breakthrough', () => {
  it('is a command that failed and passed after a change', () => {
    expect(factsIn('breakthrough').permanent.solutions).toMatchObject([
      {
        trigger: 'breakthrough',
        attempts: 1,
        command: 'npm test',
        files: ['src/basket.ts'],
        solution: 'The problem is that the price is rounded twice. (changed src/basket.ts)',
        source: 'assistant',
      },
    ]);
  });

  it('is not a test that was meant to fail, nor a second try without a change', () => {
    expect(factsIn('no-breakthrough').permanent.solutions).toEqual([]);
  });
});

describe('core logic', () => {
  it('is a central file that changed with words about its design', () => {
    const [core] = factsIn('core-logic-1', 'core-logic-2').permanent.core_logic;
    expect(core).toMatchObject({ files: ['src/pricing.ts'], source: 'user' });
    expect(core?.description).toContain('single source of truth');
  });

  it('is not a change without such words, nor one to a file of one session', () => {
    expect(factsIn('core-logic-1', 'no-core-logic-2').permanent.core_logic).toEqual([]);
    expect(factsIn('core-logic-2').permanent.core_logic).toEqual([]);
  });
});

describe('a contradiction', () => {
  it('is what the user says against it; five ask for a review', () => {
    const facts = factsIn('contradicted');
    const [rule] = facts.permanent.rules;
    expect(rule).toMatchObject({
      content: 'From now on use tabs for indentation.',
      contradictions: 5,
      confidence: 0.3,
    });
    expect(facts.reviews).toEqual([{ id: rule?.id, contradictions: 5, since: '2026-01-05' }]);
  });

  it('is not saying it again, nor an order about something else', () => {
    const facts = factsIn('not-contradicted');
    expect(facts.permanent.rules[0]).toMatchObject({ contradictions: 0 });
    expect(facts.reviews).toEqual([]);
  });

  it('is a command it names that fails now', () => {
    expect(factsIn('command-fails').permanent.rules).toMatchObject([
      { contradictions: 1, against: [{ excerpt: 'npm error Missing script: "check"' }] },
    ]);
  });

  it('is not one that passes: that validates the rule', () => {
    const [rule] = factsIn('command-fails', 'command-passes').permanent.rules;
    expect(rule).toMatchObject({ contradictions: 0, last_validated: '2026-01-07' });
  });
});
