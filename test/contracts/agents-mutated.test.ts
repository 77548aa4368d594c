import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_FILES } from '../../src/adapters/agents/agent-table.ts';
import { isOwnWords } from '../../src/core/model/l1.ts';
import { documents, MEMORY_WRITERS, WRITERS } from '../made/agent-sessions.ts';
import { MUTATED_SESSION, mutatedText, numbersFrom, withOtherValues } from '../made/mutated-file.ts';
import { readMutated } from '../made/read-mutated.ts';

const FILES = 2000;

// Most of what is read here is no JSON: to note where each error comes from takes longer than to read on.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

const ALL = Object.entries({ ...WRITERS, ...MEMORY_WRITERS });

describe.each(ALL)('damaged or changed files of %s', (name, write) => {
  it('are read as far as possible, and what is not understood is counted; none is an empty session', () => {
    const lines = write(MUTATED_SESSION).map((line) => JSON.stringify(line));
    const text = `${lines.join('\n')}\n`;
    const chance = numbersFrom(name.length * 7919 + 1);
    const outcome = { refused: 0, whole: 0, inPart: 0, unspoken: 0, empty: 0 };
    for (let file = 0; file < FILES; file++) {
      const bytes = Buffer.from(mutatedText(text, chance))
        .toString('utf8')
        .split('\n')
        .map((line) => Buffer.from(line));
      outcome[readMutated(bytes)]++;
    }
    expect(outcome).toMatchObject({ empty: 0 });
    expect(outcome.whole + outcome.inPart).toBeGreaterThan(FILES / 4);
  });

  it('never attribute to the user what an agent, a tool or a client wrote, whatever values they contain', () => {
    const lines = write(MUTATED_SESSION).map((line) => JSON.stringify(line));
    const chance = numbersFrom(name.length * 104_729 + 7);
    const typed = new Set<string>();
    for (let file = 0; file < FILES; file++) {
      const text = withOtherValues(`${lines.join('\n')}\n`, chance);
      readMutated(
        text.split('\n').map((line) => Buffer.from(line)),
        (line) => {
          if (isOwnWords(line)) typed.add(line.text ?? '');
        },
      );
    }
    expect([...typed].filter((text) => /cookie is gone|npm test|failed/.test(text))).toEqual([]);
  });
});

/** Documents, of which lines are made: what agents write there is damaged before that. */
const DOCUMENTS = Object.entries(documents(MUTATED_SESSION));

describe.each(DOCUMENTS)('damaged or changed documents of %s', (name, { text, path }) => {
  it('are read as far as possible, refused, or counted; none is an empty session', () => {
    const { rows } = AGENT_FILES[name as keyof typeof AGENT_FILES].document!;
    const chance = numbersFrom(name.length * 6007 + 3);
    const outcome = { refused: 0, whole: 0, inPart: 0, unspoken: 0, empty: 0 };
    for (let file = 0; file < FILES; file++) {
      const lines = [...(rows({ text: mutatedText(text, chance), path, isEnded: true }) ?? [])];
      const bytes = lines.map((line) => Buffer.from(JSON.stringify(line)));
      outcome[bytes.length === 0 ? 'refused' : readMutated([...bytes, Buffer.alloc(0)])]++;
    }
    expect(outcome).toMatchObject({ empty: 0 });
    expect(outcome.whole + outcome.inPart).toBeGreaterThan(FILES / 10);
  });

  it('never attribute to the user what an agent, a tool or a client wrote, whatever values they contain', () => {
    const { rows } = AGENT_FILES[name as keyof typeof AGENT_FILES].document!;
    const chance = numbersFrom(name.length * 15_485 + 11);
    const typed = new Set<string>();
    for (let file = 0; file < FILES; file++) {
      const lines = [...(rows({ text: withOtherValues(text, chance), path, isEnded: true }) ?? [])];
      readMutated(
        lines.map((line) => Buffer.from(JSON.stringify(line))),
        (line) => {
          if (isOwnWords(line)) typed.add(line.text ?? '');
        },
      );
    }
    const isJson = /^\s*\{/.test(text);
    expect(isJson ? [...typed].filter((it) => /cookie is gone|npm test|failed/.test(it)) : []).toEqual([]);
  });
});
