import { toProjectId } from '../../src/core/model/ids.ts';
import type { IndexLine, SourceUpdate } from '../../src/core/model/search.ts';

/** A line at a place that says the terms given, one each word. */
export function indexLine(at: number, text: string, about: Partial<IndexLine> = {}): IndexLine {
  return {
    role: 'user',
    flags: 0,
    ts: '2026-01-02T03:04:05.678Z',
    at,
    bytes: 10,
    src: at * 7,
    startsExchange: false,
    terms: text.split(' ').filter((word) => word !== ''),
    ...about,
  };
}

/** An update of ten bytes a line. */
export function indexUpdate(
  name: string,
  from: number,
  texts: string[],
  about: Partial<SourceUpdate> = {},
): SourceUpdate {
  return {
    project: toProjectId('-home-ada-app'),
    kind: 'session',
    name,
    agent: 'claude-code',
    file: `memory/${name}.l1.jsonl`,
    from,
    to: from + texts.length * 10,
    engine: 1,
    branch: 'main',
    title: `About ${name}`,
    first: '2026-01-02T03:04:05.678Z',
    last: '2026-01-03T03:04:05.678Z',
    files: [],
    lines: texts.map((text, n) => indexLine(from + n * 10, text)),
    ...about,
  };
}
