import type {
  CompactionEntry,
  Entry,
  PatchedEntry,
  TextEntry,
  ToolCallEntry,
  ToolResultEntry,
} from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import { type L1Line, refusedResult, UNANSWERED, UNTYPED } from '../../model/l1.ts';
import { isMemoryCall, OWN_TOOLS } from '../../model/own-tools.ts';
import { mergeCounts, redact } from '../../text/redact.ts';
import { wholeSeconds } from '../../text/utc.ts';
import { answerTo, offerIn, offeringEnd } from './offer.ts';
import { addQueued, type QueuedText, takeQueued } from './queued-texts.ts';
import { describeCall, exitStatus, isFileEdit, relative, shortError } from './tool-line.ts';

/** How many earlier asks are remembered to notice that the user went back to one of them. */
const REMEMBERED_ASKS = 200;
const MOST_OPEN = 500;

/** `done`: an edit that is known to be done before its result comes. */
type OpenCall = { toolUseId: string; line: L1Line; done?: true };

/** State between two lines. Plain JSON, so that refining can continue after any line. */
export type RefineState = {
  /** Calls whose result has not come yet, oldest first. */
  open: OpenCall[];
  /** Typed while the agent worked, and not yet seen again as an ordinary line. */
  queued: QueuedText[];
  /** The latest asks: what each followed, its own id, its place. */
  asks: [parent: string, id: string, src: number][];
  /** Where the agent last said or did something. */
  answered: number;
  redactions: Record<string, number>;
  /** The end of the agent's last message: what it put to the user is read from it when the user answers. */
  said?: string;
};

export function newRefineState(): RefineState {
  return { open: [], queued: [], asks: [], answered: -1, redactions: {} };
}

/**
 * The refined lines (L1) that an entry gives. Depends on what came before and on nothing after, so refining in any
 * number of steps gives the same lines. A tool call is emitted when its result comes, or at the next ask.
 */
export function refine(state: RefineState, entry: Entry, cwd: string | undefined): L1Line[] {
  if (entry.agentId !== undefined) return [];
  switch (entry.kind) {
    case 'user':
      return human(state, entry);
    case 'assistant':
      return [agent(state, entry)];
    case 'tool-call':
      return call(state, entry, cwd);
    case 'tool-result':
      return result(state, entry);
    case 'patched':
      patched(state, entry, cwd);
      return [];
    case 'compaction':
      return [compacted(state, entry)];
    case 'notice':
      return notice(state, entry);
    default:
      return [];
  }
}

/** In UTF-16 units: several times what agents write. */
const LONGEST_SUMMARY = 40_000;

function compacted(state: RefineState, entry: CompactionEntry): L1Line {
  const summary = clean(state, entry.text.slice(0, LONGEST_SUMMARY).toWellFormed()).trim();
  return line(entry, { role: 'system', name: 'compaction', ...(summary === '' ? {} : { summary }) });
}

function agent(state: RefineState, entry: TextEntry): L1Line {
  state.answered = entry.src[0];
  const said = spoken(state, entry, { role: 'assistant' });
  if (said.text) state.said = offeringEnd(said.text);
  return said;
}

function human(state: RefineState, entry: TextEntry): L1Line[] {
  const queued = state.queued.length === 0 ? undefined : takeQueued(state.queued, wordsHash(entry.text));
  if (queued) {
    // Given to the agent in the middle of its work: already emitted where it was typed.
    if (entry.queued || entry.reply) return [];
    if (queued.asked) {
      goesBack(state, entry);
      return [];
    }
    const sent = { ...goesBack(state, entry), sent: queued.src };
    return [...abandon(state), line(entry, { role: 'user', ...sent })];
  }
  if (entry.queued) {
    // A `queued_command` has an id of its own and is not repeated; a queue line may come again.
    const isLine = entry.id.startsWith('q_');
    // With nothing asked before, nothing is being worked on: this is how a prompt of `claude -p` comes in.
    const asked = isLine && state.answered === -1 && state.asks.length === 0;
    if (isLine) addQueued(state.queued, wordsHash(entry.text), { src: entry.src[0], asked });
    return [spoken(state, entry, asked ? { role: 'user' } : { role: 'user', queued: true })];
  }
  if (entry.reply) return [spoken(state, entry, { role: 'user', reply: true })];
  if (entry.aside) return [spoken(state, entry, { role: 'user', aside: true })];
  const offer = state.said === undefined ? undefined : offerIn(state.said);
  const answered = offer && answerTo(offer, entry.text);
  delete state.said;
  return [
    ...abandon(state),
    { ...spoken(state, entry, { role: 'user', ...goesBack(state, entry) }), ...answered },
  ];
}

function goesBack(state: RefineState, entry: TextEntry): { replaces?: number } {
  const { parent = '', id, src } = entry;
  // To say two things in a row is not to go back: only what was answered can be asked again.
  const isRewindTo = ([after, own, place]: RefineState['asks'][number]) =>
    after === parent || (own === parent && state.answered > place);
  const earlier = parent === '' ? undefined : state.asks.find(isRewindTo);
  state.asks.push([parent, id, src[0]]);
  if (state.asks.length > REMEMBERED_ASKS) state.asks.shift();
  return earlier ? { replaces: earlier[2] } : {};
}

function call(state: RefineState, entry: ToolCallEntry, cwd: string | undefined): L1Line[] {
  if (isMemoryCall(entry.name, entry.input)) return [];
  state.answered = entry.src[0];
  const toolLine = line(entry, { role: 'tool', name: clean(state, entry.name) });
  Object.assign(
    toolLine,
    describeCall(entry, cwd, (text) => clean(state, text)),
  );
  if (entry.settled) {
    const output = entry.input.result;
    return [
      typeof output === 'string' && output !== 'ok' && output !== ''
        ? { ...toolLine, result: clean(state, output) }
        : toolLine,
    ];
  }
  state.open.push({ toolUseId: entry.toolUseId, line: toolLine });
  // No conversation has this many open calls: the oldest is written without a result.
  const oldest = state.open.length > MOST_OPEN ? state.open.shift() : undefined;
  return oldest ? [oldest.done ? oldest.line : { ...oldest.line, result: UNANSWERED }] : [];
}

function result(state: RefineState, entry: ToolResultEntry): L1Line[] {
  const answered = state.open.filter((pending) => pending.toolUseId === entry.toolUseId);
  if (answered.length === 0) return [];
  state.open = state.open.filter((pending) => pending.toolUseId !== entry.toolUseId);
  return answered.map(({ line, done }) => (done ? line : answeredLine(state, line, entry)));
}

/** The edits that wait for the result of a patch are done, whatever else the same call does after them. */
function patched(state: RefineState, { files }: PatchedEntry, cwd: string | undefined): void {
  for (const { path, lines } of files) {
    for (const pending of state.open) {
      const { target } = pending.line;
      if (!isFileEdit(pending.line) || !target || pending.done) continue;
      if (relative(path, cwd) !== target && !path.endsWith(`/${target}`)) continue;
      pending.done = true;
      if (lines !== '' && isEdit(pending.line)) pending.line = { ...pending.line, lines };
    }
  }
}

function answeredLine(state: RefineState, toolLine: L1Line, entry: ToolResultEntry): L1Line {
  if (entry.refused) {
    // Words that another tool could have forged stay in its own line; those of the client's tools follow as a reply.
    const words = entry.said && !OWN_TOOLS.has(toolLine.name ?? '') ? clean(state, entry.said) : undefined;
    return { ...toolLine, result: refusedResult(words) };
  }
  if (entry.isError) {
    const exit = entry.exit ?? (toolLine.name === 'Bash' ? exitStatus(entry.text) : undefined);
    const error = shortError(entry.text, (text) => clean(state, text));
    return { ...toolLine, result: error, ...(exit === undefined ? {} : { exit }) };
  }
  return entry.changed && isEdit(toolLine) ? { ...toolLine, lines: entry.changed } : toolLine;
}

/** A new file's lines are known from the call itself. */
function isEdit({ name, lines }: L1Line): boolean {
  return name === 'Edit' || name === 'MultiEdit' || (name === 'Write' && lines === undefined);
}

/** Calls that were never answered are emitted when the user asks the next thing. */
function abandon(state: RefineState): L1Line[] {
  const lost = state.open.map(({ line, done }) => (done ? line : { ...line, result: UNANSWERED }));
  state.open = [];
  return lost;
}

function notice(state: RefineState, entry: TextEntry): L1Line[] {
  // Nobody's words, but a user may search for them.
  if (entry.untyped) return [line(entry, { role: 'system', name: UNTYPED, text: clean(state, entry.text) })];
  if (!entry.interrupts) return [];
  return [...abandon(state), line(entry, { role: 'system', name: 'interrupted' })];
}

function spoken(
  state: RefineState,
  entry: TextEntry,
  rest: Pick<L1Line, 'role' | 'queued' | 'reply' | 'replaces' | 'aside'>,
): L1Line {
  const images = entry.images ? `[${entry.images === 1 ? 'image' : `${entry.images} images`}]` : '';
  const text = [clean(state, entry.text), images].filter(Boolean).join('\n');
  const speaker = entry.name ? { name: clean(state, entry.name) } : {};
  const { command, asked, choice } = entry;
  return {
    ...line(entry, { ...rest, ...(entry.unproven ? { unproven: true } : {}) }),
    ...speaker,
    ...(command === undefined ? {} : { command: clean(state, command) }),
    ...(asked === undefined ? {} : { asked }),
    ...(choice === undefined ? {} : { choice }),
    text,
    ...(entry.ownId ? { id: entry.id } : {}),
  };
}

function line(entry: Entry, rest: Partial<L1Line> & Pick<L1Line, 'role'>): L1Line {
  return { ts: wholeSeconds(entry.ts), ...rest, src: entry.src[0] };
}

function clean(state: RefineState, text: string): string {
  const redacted = redact(text);
  if (redacted.text === text) return text;
  mergeCounts(state.redactions, redacted.counts);
  return redacted.text;
}

/** A hash and not the words: what is stored between two runs must hold no secret. */
function wordsHash(text: string): string {
  return shortHash(text.trim(), 16);
}

/** The order of an L1 line's keys. */
const KEYS: readonly (keyof L1Line)[] = [
  'ts',
  'role',
  'name',
  'target',
  'lines',
  'diff',
  'command',
  'asked',
  'text',
  'choice',
  'summary',
  'result',
  'exit',
  'queued',
  'reply',
  'aside',
  'unproven',
  'sent',
  'replaces',
  'id',
  'src',
];
const PLACES = new Map<string, number>(KEYS.map((key, place) => [key, place]));

/** The bytes of a line in an L1 file: fixed key order, so that the same line is the same bytes. */
export function writeL1(line: L1Line): string {
  let text = '';
  for (const key of orderedKeys(line)) {
    const value = line[key];
    if (value !== undefined)
      text += `${text === '' ? '{"' : ',"'}${key}":${typeof value === 'string' ? JSON.stringify(value) : value}`;
  }
  return `${text}}\n`;
}

/** Those that a line has: most of them it has not, and to ask for each takes time. */
function orderedKeys(line: L1Line): (keyof L1Line)[] {
  const keys: (keyof L1Line)[] = [];
  let [last, isOrdered] = [-1, true];
  for (const key in line) {
    const place = PLACES.get(key);
    if (place === undefined) continue;
    isOrdered &&= place > last;
    last = place;
    keys.push(KEYS[place]!);
  }
  return isOrdered ? keys : keys.sort((a, b) => PLACES.get(a)! - PLACES.get(b)!);
}
