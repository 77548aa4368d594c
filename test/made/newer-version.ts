import { foldLine } from '../../src/app/intake/fold-session.ts';
import { newSessionState } from '../../src/app/intake/new-session-state.ts';
import type { Agent } from '../../src/core/model/agent.ts';
import type { Entry } from '../../src/core/model/entry.ts';
import { type Identity, identify } from '../../src/core/transcript/identify.ts';
import { SeenIds } from '../../src/core/transcript/seen-ids.ts';
import type { SessionFacts } from '../../src/core/transcript/session-facts.ts';
import type { Happening } from './happening.ts';

export type Change = { key?: string; value?: string };
export type ReadBack = { held: Set<string>; counted: number };

/** Keepsake's own, around the rows of documents and databases. */
const OWN = new Set(['staged', 'opencode', 'row', 'kind']);

/** The same with one name of a field, or one word that says a kind, as a newer version might call it. */
export function newer(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((it) => newer(it, change));
  if (value === change.value) return `${change.value}New`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key === change.key ? `${key}New` : key, newer(it, change)]),
  );
}

export function changesFor(value: unknown, found: Map<string, Change> = new Map()): Map<string, Change> {
  if (Array.isArray(value)) for (const it of value) changesFor(it, found);
  else if (typeof value === 'string' && /^[A-Za-z][A-Za-z_-]{2,30}$/.test(value))
    found.set(`= ${value}`, { value });
  else if (typeof value === 'object' && value !== null)
    for (const [key, it] of Object.entries(value)) {
      // A name with a number in it is an id.
      if (!OWN.has(key) && !/\d/.test(key)) found.set(key, { key });
      if (key !== 'staged' && key !== 'opencode') changesFor(it, found);
    }
  return found;
}

/** Everything that a reader makes of a session but its ids and times: what was said, called and answered. */
function holdsOf(entry: Entry, session: readonly Happening[]): string[] {
  if (entry.kind === 'tool-call') {
    const ran = session
      .flatMap((one) => (one.kind === 'run' ? [one] : []))
      .filter(({ command }) => JSON.stringify(entry.input).includes(command));
    return [`a call${entry.name === '' ? '' : ' of a tool'}`, ...ran.map(({ command }) => `ran ${command}`)];
  }
  if (entry.kind !== 'user' && entry.kind !== 'assistant' && entry.kind !== 'tool-result') return [];
  return session
    .map((one) => (one.kind === 'run' ? one.output : one.text))
    .filter((text) => entry.text.includes(text))
    .map((text) => `${entry.kind} ${text}`);
}

/** What is known of the session besides words. */
function marksOf({ cwd, customTitle, aiTitle, summaryTitle, counts }: SessionFacts): string[] {
  const titles = Object.entries({ customTitle, aiTitle, summaryTitle });
  return [
    ...(cwd ? [`folder ${cwd}`] : []),
    ...titles.flatMap(([kind, title]) => (title ? [`title (${kind})`] : [])),
    ...Array.from({ length: counts.toolErrors }, (_, index) => `failure ${index + 1}`),
  ];
}

/** What is understood of lines that a client may have written, and how much is counted as not understood. */
export function readBack(lines: unknown[], session: readonly Happening[]): ReadBack | 'refused' {
  const bytes = lines.map((line) => Buffer.from(JSON.stringify(line)));
  const { agent } = bytes.reduce<Identity>((known, line) => (known.done ? known : identify(known, line)), {
    done: false,
  });
  if (agent === undefined) return 'refused';
  const state = newSessionState(agent as Agent);
  const out = { held: new Set<string>(), counted: 0 };
  const onEntry = (entry: Entry) => {
    for (const it of holdsOf(entry, session)) out.held.add(it);
  };
  const fold = { state, seen: new SeenIds(), sessionId: 'made', extent: 'paragraph' as const, onEntry };
  let at = 0;
  for (const line of bytes) {
    foldLine(fold, line, at, false);
    at += line.length + 1;
  }
  for (const mark of marksOf(state.facts)) out.held.add(mark);
  const { bad, unknown } = state.lines;
  out.counted = bad + Object.values(unknown).reduce((sum, it) => sum + it, 0);
  return out;
}
