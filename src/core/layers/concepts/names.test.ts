import { expect, it } from 'vitest';
import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf } from '../../text/terms.ts';
import { conceptsOf } from './concepts.ts';

let made = 0;
function exchange(ask: string, summary = ''): ExchangeRecord {
  made++;
  return {
    id: `ex_${made}`,
    ts: `2026-01-05T10:${String(made).padStart(2, '0')}:00Z`,
    summary,
    details: '',
    files: [],
    keywords: termsOf(`${ask} ${summary}`).slice(0, 10),
    l1_range: [1, 2],
    outcome: 'done',
    commands: [],
    ask,
    tools: 1,
    errors: 0,
    src: 0,
    said: [],
    failed: [],
    fixed: [],
    design: [],
  };
}

function namesOf(exchanges: ExchangeRecord[]): string[] {
  return conceptsOf([{ sessionId: 'a', exchanges }]).map(({ name }) => name);
}

it('a command that is set as code names what was asked about it', () => {
  const names = namesOf([
    exchange('`teapot brew` prints the kettle twice', 'Teapot brew prints one kettle.'),
    exchange('why is `teapot brew` slow with a large kettle?', 'Teapot brew reads the kettle once.'),
    exchange('let `teapot brew` show the kettle first', 'Teapot brew shows the kettle.'),
  ]);
  expect(names).toEqual(['Teapot brew']);
});

it('initials are large where anybody writes them so; a tool that nobody can say stays small', () => {
  const initials = namesOf([
    exchange('the php backend fails', 'Mended the PHP backend.'),
    exchange('does the php backend take release candidates?', 'The PHP backend takes them.'),
    exchange('test the php backend', 'Tested the PHP backend.'),
  ]);
  expect(initials[0]).toBe('PHP backend');
  const tool = namesOf([
    exchange('the npm registry is slow', 'Measured the npm registry.'),
    exchange('cache the npm registry', 'The npm registry is cached.'),
    exchange('clear what we have of the npm registry', 'Cleared the npm registry.'),
  ]);
  expect(tool[0]).toBe('npm registry');
});
