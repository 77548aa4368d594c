import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { format } from 'node:util';
import { chai, expect } from 'vitest';

type Work = (...args: unknown[]) => unknown;
type Suite = { name: string; before: Work[]; after: Work[]; beforeAll: Work[]; afterAll: Work[] };
export type CollectedTest = { name: string; file: string; work: Work; suites: Suite[] };

/** The tests that the file being loaded has declared; a loader sets this, one file at a time. */
export const collecting: { file: string; suites: Suite[]; tests: CollectedTest[] } = {
  file: '',
  suites: [],
  tests: [],
};

export function newSuite(name: string): Suite {
  return { name, before: [], after: [], beforeAll: [], afterAll: [] };
}

function declareTest(name: string, work: Work): void {
  const { file, suites, tests } = collecting;
  const full = [...suites.map((suite) => suite.name).filter((it) => it !== ''), name].join(' > ');
  const same = tests.filter((test) => test.file === file && test.name.replace(/ #\d+$/, '') === full).length;
  tests.push({ name: same === 0 ? full : `${full} #${same + 1}`, file, work, suites: [...suites] });
}

function declareSuite(name: string, work: Work): void {
  collecting.suites.push(newSuite(name));
  try {
    work();
  } finally {
    collecting.suites.pop();
  }
}

type Declare = (name: string, work: Work) => void;
type Rows = (rows: readonly unknown[]) => (name: string, work: Work) => void;

/** `declare` and its `each`, with vitest's order of arguments; options in the middle are dropped. */
function withRows(declare: Declare): Declare & { each: Rows } {
  const each: Rows = (rows) => (name, work) => {
    for (const row of rows) {
      const args = Array.isArray(row) ? row : [row];
      declare(/%[sdifjo]/.test(name) ? format(name, ...args) : name, () => work(...args));
    }
  };
  return Object.assign(declare, { each });
}

export const describe = withRows(declareSuite);
export const it = withRows(declareTest);
export const test: typeof it = withRows((name, work) => declareTest(name, work));

const atSuite = (hook: Exclude<keyof Suite, 'name'>) => (work: Work) => {
  collecting.suites.at(-1)?.[hook].push(work);
};
export const beforeEach = atSuite('before');
export const afterEach = atSuite('after');
export const beforeAll = atSuite('beforeAll');
export const afterAll = atSuite('afterAll');

// Vitest's own needs its worker.
chai.Assertion.addMethod('toMatchFileSnapshot', function (path: string) {
  const wanted = readFileSync(resolve(dirname(collecting.file), path), 'utf8');
  if (wanted !== this._obj) throw new Error(`${path} has a different text`);
});

export { expect };
