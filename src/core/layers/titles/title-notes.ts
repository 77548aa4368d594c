import { type L1Line, startsExchange } from '../../model/l1.ts';
import { type CommitMessage, commitMessages } from '../../text/commit-messages.ts';
import { type Fragment, isVague, worthOf } from './ask-fragment.ts';
import { askOpening } from './ask-opening.ts';
import { closingEnds, closingSentence, LONGEST_CLOSING } from './closing-sentence.ts';
import { cutTitle, fitTitle, plainTitle } from './fit-title.ts';
import { plainAsk } from './plain-ask.ts';
import { headingOf, isHandedInPlan } from './plan-heading.ts';
import { type NotedSubject, subjectTitle } from './subject-title.ts';

const MOST_ASKS = 8;
/** A request of fewer characters leaves room for its outcome. */
export const SHORT_ASK = 50;
const MOST_SUBJECTS = 8;
const CHANGES_FILES = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;

/** An ask, and how much followed it. */
export type NotedAsk = {
  text: string;
  worth: number;
  edits: number;
  calls: number;
  /** Characters of the closing message. */
  said: number;
  /** What the agent said it did, where the ask says little. */
  done?: string;
};

/** What a session's title may be chosen from. Plain JSON, small however long the session is. */
export type TitleNotes = {
  /** Heading of the agent's own plan. */
  agentPlan?: string;
  subjects: NotedSubject[];
  asks: NotedAsk[];
  /** The ask that is being worked on, and the latest words of the agent. */
  current?: NotedAsk;
  /** The first ask is the title. */
  enough?: true;
  closing?: string;
  /** A slash command as words; the first words of all; the first answer. */
  command?: string;
  words?: string;
  answer?: string;
};

export function newTitleNotes(): TitleNotes {
  return { subjects: [], asks: [] };
}

/** Notes what a refined line says of the session's topic. Depends on the lines before it only. */
export function noteTitleLine(notes: TitleNotes, line: L1Line): void {
  // A first ask that says enough is the title whatever follows.
  if (notes.enough) return;
  if (line.role === 'user') noteUser(notes, line);
  else if (line.role === 'assistant') noteAgent(notes, line.text ?? '');
  else if (line.role === 'tool') noteTool(notes, line);
}

/** All asks with what followed each, the current one included. */
export function settledAsks(notes: TitleNotes): NotedAsk[] {
  const { current } = notes;
  return current === undefined ? notes.asks : [...notes.asks, withOutcome(current, notes.closing ?? '')];
}

/** How much of the session a request represents. */
export function askScore({ worth, edits, calls, said }: NotedAsk): number {
  return worth * (1 + Math.log1p(3 * edits + 0.5 * calls + said / 400));
}

function keep(notes: TitleNotes, key: 'agentPlan' | 'command' | 'words' | 'answer', text?: string): void {
  if (text) notes[key] = text;
}

function noteUser(notes: TitleNotes, line: L1Line): void {
  // What was queued is noted where it was typed.
  if (line.text === undefined || line.sent !== undefined || (!startsExchange(line) && !line.queued)) return;
  const text = line.text.trim();
  const command = line.command === undefined ? undefined : commandWords(line.command, text);
  keep(notes, 'command', notes.command ?? command);
  if (text === '') return;
  keep(notes, 'words', notes.words ?? fitTitle(text.slice(0, LONGEST_CLOSING).split('\n', 1)[0]!).text);
  const heading = isHandedInPlan(text) ? headingOf(text) : undefined;
  const said = heading ?? command;
  const found = said ? { text: said, worth: worthOf(said) } : askOpening(text);
  if (!found) return;
  if (!line.unproven) begin(notes, found);
}

function begin(notes: TitleNotes, { text, worth }: Fragment): void {
  settle(notes);
  if (notes.asks.length === 0 && text.length >= SHORT_ASK && !isVague(text)) notes.enough = true;
  notes.current = { text, worth, edits: 0, calls: 0, said: 0 };
}

function settle(notes: TitleNotes): void {
  if (notes.current) notes.asks.push(withOutcome(notes.current, notes.closing ?? ''));
  delete notes.current;
  delete notes.closing;
  if (notes.asks.length <= MOST_ASKS) return;
  // The first one says what the session was begun for: it stays.
  const [, ...others] = notes.asks;
  const least = others.reduce((low, ask) => (askScore(ask) < askScore(low) ? ask : low));
  notes.asks.splice(notes.asks.indexOf(least), 1);
}

function withOutcome(ask: NotedAsk, closing: string): NotedAsk {
  const done = isVague(ask.text) ? fitTitle(closingSentence(closing)).text : '';
  return done === '' ? ask : { ...ask, done };
}

function noteAgent(notes: TitleNotes, text: string): void {
  if (text.trim() === '') return;
  if (notes.current) {
    notes.current.said = text.length;
    notes.closing = closingEnds(text);
  } else keep(notes, 'answer', notes.answer ?? fitTitle(closingSentence(text)).text);
}

function noteTool(notes: TitleNotes, line: L1Line): void {
  if (notes.current) notes.current.calls++;
  if (line.result !== undefined) return;
  if (notes.current && CHANGES_FILES.test(line.name ?? '')) notes.current.edits++;
  if (line.name === 'ExitPlanMode') keep(notes, 'agentPlan', headingOf(line.text ?? ''));
  if (line.name === 'Bash')
    for (const message of commitMessages(line.target ?? '')) noteSubject(notes, message);
}

function noteSubject(notes: TitleNotes, message: CommitMessage): void {
  const found = subjectTitle(message);
  if (!found) return;
  const known = notes.subjects.find(({ text }) => text === found.text);
  if (known) known.weight = Math.max(known.weight, found.weight);
  else notes.subjects.push(found);
  if (notes.subjects.length <= MOST_SUBJECTS) return;
  const least = notes.subjects.reduce((low, it) => (it.weight < low.weight ? it : low));
  notes.subjects.splice(notes.subjects.indexOf(least), 1);
}

/** `/workflows:review` and the text after it. */
function commandWords(command: string, text: string): string {
  const name = plainTitle(command.replace(/^\/(?:[\w.-]+:)*/, '').replace(/[-_:.]+/g, ' '));
  const words = askOpening(text)?.text ?? plainAsk(text.split('\n', 1)[0]!);
  return cutTitle(words === '' ? name : `${name}: ${words}`);
}
