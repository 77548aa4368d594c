import { endingOf, type L1Line } from '../../model/l1.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { CALL_FAILED, CLAIMS, FAILURE, OFFER, REMAINS, WAITS_FOR_ANSWER } from './outcome-cues.ts';
import type { Runs } from './tool-runs.ts';

/** Characters at either end of a closing message: what was done comes first, what is missing last. */
const EDGE = 1200;
const LAST_SENTENCES = 4;
const FIRST_SENTENCES = 3;
const COMMITS = /\bgit\b[^|;&]*\b(?:commit|push|merge|revert|rebase --continue)\b|\bgh pr (?:create|merge)\b/;
const EDITS = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;
const KEEPS_LISTS = /^(?:Todo|Task(?:Create|Update|List|Get)|update_plan)/;
/** A shorter answer to a refusal only says that it was heard. */
const REAL_ANSWER = 200;

/** How the lines of an exchange end, regardless of what follows. */
export type Ending = {
  /** The user stopped the agent, and it said nothing more. */
  stopped: boolean;
  /** The user refused the last call, and nothing was done after it. */
  refused: boolean;
  /** The agent said or did anything. */
  answered: boolean;
  /** The last thing is a message, a commit, or a check of what was changed that passed. */
  closed: boolean;
  /** Files were changed, or something was committed. */
  changed: boolean;
  /** What was changed is committed. */
  committed: boolean;
  /** The last command that does work and is not meant to fail failed. */
  failing?: string;
  passed: Set<string>;
  /** What the closing message says. */
  claims: boolean;
  failure: boolean;
  /** The service or the client failed. */
  callFailed: boolean;
  remains: boolean;
  asks: 'nothing' | 'offer' | 'answer';
};

export function endingIn(lines: L1Line[], { runs }: Runs): Ending {
  const spoke = lines.findLastIndex((line) => line.role === 'assistant' && (line.text ?? '').trim() !== '');
  const acted = lines.findLastIndex((line) => line.role === 'tool');
  const acting = lines.findLastIndex((line) => line.role === 'tool' && !KEEPS_LISTS.test(line.name ?? ''));
  const worked = lines.findLastIndex((line) => line.role === 'tool' && line.result === undefined);
  const refused = lines.findLastIndex(isRefused);
  const stopped = lines.findLastIndex((line) => line.role === 'system' && line.name === 'interrupted');
  const commit = lines.findLastIndex(isCommit);
  const edit = lines.findLastIndex(isEdit);
  const changed = edit !== -1 || commit !== -1;
  const final = runs.findLast((run) => !run.meant);
  const ran = lines.findLastIndex((line) => line.src === final?.src);
  const closing = spoke > acted ? (lines[spoke]?.text ?? '') : '';
  return {
    stopped: stopped !== -1 && stopped > spoke,
    refused: refused > worked && !isTalkedOver(lines[refused]!, closing, changed),
    answered: spoke !== -1 || acted !== -1,
    closed: closing !== '' || isCommit(lines[acting]) || (changed && final?.ok === true && ran === acting),
    changed,
    committed: commit !== -1 && commit > edit,
    // What is committed after it was not held up by it.
    ...(final && !final.ok && ran > commit ? { failing: final.command } : {}),
    passed: new Set(runs.filter((run) => run.ok).map((run) => run.command)),
    ...saidIn(closing),
  };
}

function saidIn(text: string): Pick<Ending, 'claims' | 'failure' | 'callFailed' | 'remains' | 'asks'> {
  const first = sentencesOf(text.slice(0, EDGE)).slice(0, FIRST_SENTENCES);
  const last = sentencesOf(text.slice(-EDGE)).slice(-LAST_SENTENCES);
  const closing = last.at(-1) ?? '';
  const edges = [...first, ...last];
  return {
    claims: edges.some(
      (sentence) => CLAIMS.test(sentence) && !FAILURE.test(sentence) && !REMAINS.test(sentence),
    ),
    failure: edges.some((sentence) => FAILURE.test(sentence)),
    callFailed: CALL_FAILED.test(text),
    remains: last.some((sentence) => REMAINS.test(sentence)),
    asks: asksIn(closing, last),
  };
}

function asksIn(closing: string, last: string[]): Ending['asks'] {
  const question = [closing, last.at(-2) ?? ''].find((sentence) => /[?？]["')\]*]*$/.test(sentence));
  if (question === undefined) return WAITS_FOR_ANSWER.test(closing) ? 'answer' : 'nothing';
  return OFFER.test(question) ? 'offer' : 'answer';
}

/** The user asked or said something instead of allowing the call, and the agent went into it. */
function isTalkedOver({ name }: L1Line, closing: string, changed: boolean): boolean {
  if (closing === '') return false;
  return changed || closing.length >= REAL_ANSWER || !(EDITS.test(name ?? '') || name === 'ExitPlanMode');
}

function isRefused({ role, result }: L1Line): boolean {
  return role === 'tool' && result !== undefined && endingOf(result) === 'refused';
}

function isEdit({ role, name, result }: L1Line): boolean {
  return role === 'tool' && result === undefined && EDITS.test(name ?? '');
}

function isCommit(line: L1Line | undefined): boolean {
  return line?.role === 'tool' && line.result === undefined && COMMITS.test(line.target ?? '');
}
