import { carriesRequest } from '../../core/keepit/carries-request.ts';
import { asksToKeep, markersOf } from '../../core/keepit/find-markers.ts';
import { nearMisses } from '../../core/keepit/near-misses.ts';
import { refine, writeL1 } from '../../core/layers/refine/refine.ts';
import { isFileEdit } from '../../core/layers/refine/tool-line.ts';
import { noteTitleLine } from '../../core/layers/titles/title-notes.ts';
import type { Entry, TextEntry } from '../../core/model/entry.ts';
import { isUuid } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { startsExchange } from '../../core/model/l1.ts';
import type { ReadObject } from '../../core/model/read-object.ts';
import { isAcceptedPlan } from '../../core/text/accepted-plan.ts';
import { asJson } from '../../core/text/as-json.ts';
import type { KnownSecrets } from '../../core/text/redact/known-secrets.ts';
import { redact } from '../../core/text/redact.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { isComposed } from '../../core/transcript/composed-lines.ts';
import { NO_SIGN, proveTyping, queuedBefore } from '../../core/transcript/prove-typing.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import type { SeenIds } from '../../core/transcript/seen-ids.ts';
import { noteEntry, noteLine } from '../../core/transcript/session-facts.ts';
import { userReplies } from '../../core/transcript/user-replies.ts';
import { isOtherCopy, unconfirmedItems } from '../../core/transcript/written-twice.ts';
import type { SessionState } from './session-state.ts';

const LISTED_FILES = 500;
const LISTED_MISSES = 10;
const LONGEST_KIND = 60;
const LONGEST_REQUEST = 4000;
const MOST_KINDS = 50;

/** What lines of one session are folded into, and how. */
export type Fold = {
  state: SessionState;
  /** Ids of messages that came before. */
  seen: SeenIds;
  sessionId: string;
  extent: 'paragraph' | 'message';
  count?: TokenCounter | undefined;
  /** The project's folder, where no line names one: paths are relative to it. */
  root?: string | undefined;
  /** Secrets recognized so far, masked everywhere. */
  known?: KnownSecrets | undefined;
  /** Those that these lines added, with the place of the line; a place before it may hold one, too. */
  fresh?: Map<string, number> | undefined;
  /** Sees every entry of the conversation, in order. */
  onEntry?: ((entry: Entry) => void) | undefined;
};

/**
 * One line of a session through all stages: read, dedupe, note, refine, mark. Changes `state` and gives the L1 text.
 * False: the line is not complete yet.
 */
export function foldLine(fold: Fold, line: Buffer, at: number, last: boolean): string | false {
  const { state, seen } = fold;
  const reading = readLine(state.agent, line, at, last);
  if (last && reading.bad) return false;
  // Two objects on one line count as two: they might have come one by one.
  state.lines.total += Math.max(1, reading.objects.length + (reading.bad ? 1 : 0));
  if (reading.skipped) state.lines.skipped[reading.skipped] = (state.lines.skipped[reading.skipped] ?? 0) + 1;
  if (reading.bad) state.lines.bad++;
  noteSecrets(fold, line, at);
  let text = '';
  for (const object of reading.objects) {
    if (object.unknown) noteUnknown(state, object.unknown);
    if (object.skipped) state.lines.skipped[object.skipped] = (state.lines.skipped[object.skipped] ?? 0) + 1;
    const [first] = object.entries;
    if (first && first.kind !== 'title' && first.id !== '' && !seen.add(first.id)) {
      state.lines.duplicate++;
      continue;
    }
    noteLine(state.facts, covered(fold, object.facts));
    for (const entry of queuedBefore(state)) text += foldEntry(fold, entry);
    if (state.keepWords !== undefined && isOfOthers(object)) state.othersSpoke = true;
    if (isOtherCopy(state, object)) continue;
    for (const src of unconfirmedItems(state, object)) noteOdd(state, NO_SIGN, src);
    if (isComposed(state, object, state.l1.lines === 0 && state.refine.open.length === 0)) continue;
    for (const entry of object.entries) {
      const plain = proveTyping(state, covered(fold, entry));
      text += foldEntry(fold, plain, object.refined);
      for (const reply of userReplies(state.replies, plain)) text += foldEntry(fold, reply);
    }
  }
  return text;
}

function covered<T>({ known }: Fold, value: T): T {
  return known ? known.cover(value) : value;
}

/** Before anything of the line is refined. Only its place is remembered: the values are read from it again. */
function noteSecrets({ state, known, fresh }: Fold, line: Buffer, at: number): void {
  const found = known?.note(line.toString()) ?? [];
  if (found.length === 0) return;
  state.secrets ??= [];
  state.secrets.push(at);
  for (const value of found) fresh?.set(value, at);
}

function foldEntry(fold: Fold, entry: Entry, refined?: L1Line): string {
  const { state, seen } = fold;
  fold.onEntry?.(entry);
  const lines = refined
    ? [covered(fold, withoutId(refined))]
    : refine(state.refine, entry, state.facts.cwd ?? fold.root);
  // Already read where it was queued: its markers are known, too.
  const again =
    entry.kind === 'user' && !lines.some((line) => line.role === 'user' && line.sent === undefined);
  noteEntry(state.facts, asAsk(entry, lines), seen, again);
  if (entry.agentId !== undefined) return '';
  if (entry.kind === 'user' && !again) noteMissed(state, entry);
  if (entry.kind === 'user' && !again) noteKeepAsked(state, entry);
  if (entry.kind === 'notice' && entry.shape) noteOdd(state, entry.shape, entry.src[0]);
  if (entry.kind === 'user' && entry.unproven && !again) noteOdd(state, NO_SIGN, entry.src[0]);
  if (!again && fold.count && state.tokens !== undefined) state.tokens += entryTokens(entry, fold.count);
  if (!again && (entry.kind === 'user' || entry.kind === 'assistant') && entry.text.includes('##')) {
    const markers = markersOf(entry, fold.sessionId, { extent: fold.extent });
    // A tool may have asked for it in other words: only the user can say what is to be kept.
    const isUnseen = refined !== undefined && entry.kind === 'assistant';
    const isAgents = entry.kind === 'assistant' || entry.unproven || isAcceptedPlan(entry.text);
    for (const marker of markers)
      if (isUnseen || (isAgents && !isRequested(state, marker.content))) marker.held = true;
    state.markers.push(...markers);
  }
  let text = '';
  for (const line of lines) {
    if (line.role === 'assistant') state.lastSaid = (line.text ?? '').slice(-LONGEST_REQUEST).toWellFormed();
    noteTitleLine(state.titles, line);
    text += emit(state, fold.sessionId, line);
  }
  return text;
}

/** The id of the message is looked up by its place, as everywhere. */
function withoutId({ id: _, ...line }: L1Line): L1Line {
  return line;
}

function emit(state: SessionState, sessionId: string, line: L1Line): string {
  if (startsExchange(line) || state.exchanges === 0) state.exchanges++;
  if (state.l1.file === '') state.l1.file = l1File(line.ts, sessionId);
  state.l1.lines++;
  // An edit that failed or was refused changed nothing.
  if (line.result === undefined && isFileEdit(line)) noteFile(state, line.target);
  return writeL1(line);
}

/** `memory/sessions/2026-01-05_0142_847ff7d2.l1.jsonl`; an id that is not a uuid is used in full, so that names do not collide. */
function l1File(ts: string, sessionId: string): string {
  const minute = ts === '' ? 'undated' : `${ts.slice(0, 10)}_${ts.slice(11, 13)}${ts.slice(14, 16)}`;
  return `memory/sessions/${minute}_${isUuid(sessionId) ? sessionId.slice(0, 8) : sessionId}.l1.jsonl`;
}

/** Text, tool inputs and tool results count once each; thinking and what the client adds do not. */
export function entryTokens(entry: Entry, count: TokenCounter): number {
  switch (entry.kind) {
    case 'user':
      // Words in a refusal were already counted with their result.
      return entry.reply ? 0 : count(entry.text);
    case 'assistant':
    case 'tool-result':
    case 'compaction':
      return entry.text === '' ? 0 : count(entry.text);
    case 'tool-call':
      return count(`${entry.name} ${asJson(entry.input)}`);
    default:
      return 0;
  }
}

/** By kind, as far as there are few of them: what a file calls its lines is not ours to keep without end. */
function noteUnknown(state: SessionState, kind: string): void {
  const { unknown } = state.lines;
  const name = redact(kind.slice(0, LONGEST_KIND)).text;
  const counted = Object.hasOwn(unknown, name) || Object.keys(unknown).length < MOST_KINDS ? name : 'others';
  unknown[counted] = (unknown[counted] ?? 0) + 1;
}

function noteMissed(state: SessionState, { text, src }: TextEntry): void {
  for (const miss of nearMisses(text)) {
    state.missed ??= [];
    if (state.missed.length < LISTED_MISSES) state.missed.push([miss, src[0]]);
  }
}

/** The prompt of `claude -p` comes by the queue, and yet nothing was being worked on. */
function asAsk(entry: Entry, lines: L1Line[]): Entry {
  if (entry.kind !== 'user' || !entry.queued || lines.some((line) => line.queued)) return entry;
  const { queued: _, ...ask } = entry;
  return ask;
}

/** Whether someone else than the user and the agent speaks in an object: a tool, a hook, the client. */
function isOfOthers({ entries, skipped }: ReadObject): boolean {
  if (skipped === 'attachment' || skipped === 'progress') return true;
  return entries.some(({ kind }) => kind === 'tool-result' || kind === 'notice' || kind === 'compaction');
}

function isRequested({ keepWords, othersSpoke }: SessionState, content: string): boolean {
  return keepWords !== undefined && carriesRequest(content, keepWords, !othersSpoke);
}

/** "Keep that decision in mind": the decision is in the agent's last message. */
const POINTS_BACK =
  /\b(?:this|that|it|these|those|them|above|(?:the|your) (?:\w+ )?(?:decision|rule|finding|fix|answer|result|summary|plan|reason|lesson|solution|list))\b/i;

/** What the user asked in this exchange to be kept, in their words and those that followed. */
function noteKeepAsked(state: SessionState, entry: TextEntry): void {
  const starts = !entry.queued && !entry.reply && !entry.aside;
  if (starts) {
    delete state.keepWords;
    delete state.othersSpoke;
  }
  if (entry.choice !== undefined || entry.unproven || isAcceptedPlan(entry.text)) return;
  if (state.keepWords === undefined && !asksToKeep(entry.text)) return;
  const words = redact(entry.text.slice(0, LONGEST_REQUEST)).text;
  const meant = state.keepWords === undefined && POINTS_BACK.test(words) ? (state.lastSaid ?? '') : '';
  state.keepWords = `${state.keepWords ?? ''}${words}\n${meant}`.slice(0, 2 * LONGEST_REQUEST);
}

/** Counted, so that a new version of a client is noticed and not remembered. */
function noteOdd(state: SessionState, shape: string, src: number): void {
  state.lines.odd ??= {};
  const known = Object.hasOwn(state.lines.odd, shape) ? state.lines.odd[shape] : undefined;
  if (known) known[0]++;
  else if (Object.keys(state.lines.odd).length < MOST_KINDS) state.lines.odd[redact(shape).text] = [1, src];
}

function noteFile(state: SessionState, path: string | undefined): void {
  const file = path && redact(path).text;
  if (!file || state.files.includes(file)) return;
  state.filesCount++;
  if (state.files.length < LISTED_FILES) state.files.push(file);
}
