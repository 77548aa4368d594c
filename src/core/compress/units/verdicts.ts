import type { Steps } from '../../model/steps.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';
import { citations } from './citations.ts';
import { agrees, endsAsking, isImages, objects, stillFails } from './cues.ts';
import { type Again, saidAgain } from './said-again.ts';
import { squeezed } from './squeezed.ts';
import type { Unit, UnitCue } from './unit.ts';
import { isCodeName, type UnitWords } from './unit-words.ts';

/** Claims that a report of a continuing failure withdraws. */
const CLAIMS: readonly UnitCue[] = ['done', 'supposes', 'finding'];
const LONGEST_YES = 60;
const SHORTEST_OUTCOME = 15;
const LONGEST_QUOTE = 80;
const OF_AGENT = new Set(['agent', 'closing', 'plan', 'report', 'closing-code', 'code']);

/** What is known of a session's end: words that are part of a statement, or were taken back. */
export type StatedWords = {
  /** Place of their turn. */
  turn: number;
  text: string;
  as: 'shown' | 'candidate' | 'overturned';
  /** The words that took them back. */
  by?: string;
  /** A later session did: the user's own words are taken back, too. */
  isLater?: true;
  /** Of several sessions: left open by the latest one, or by one before. */
  open?: 'now' | 'before';
};

type Verdicts = {
  units: Unit[];
  words: UnitWords;
  exchangeOf: (turn: number) => number;
  isUser: (turn: number) => boolean;
  stated: readonly StatedWords[];
  /** What fits it is wanted, also where it is said again later. */
  hasTopic: boolean;
  /** Of several sessions, which say a thing once. */
  ofSeveral: boolean;
};

/**
 * Who was right in the end. Marks text that was withdrawn or repeated later, ties an objection to its concession and a request
 * to its outcome, and gives more weight to words that lead to a statement. The cues are English; text without cues is judged by
 * shared words.
 */
export function* judgeUnits(input: Verdicts): Steps<void> {
  const { units } = input;
  const rarity = rarityOf(input.words, units.length);
  const exchanges = exchangesOf(input);
  const protectedUnits = new Set<number>();
  const taken = new Set<number>();
  overturnedBefore(input, exchanges, rarity, { protectedUnits, taken });
  const concluded = guessesBefore(units, exchanges, taken);
  offersAnswered(units, exchanges);
  citations(units, exchanges);
  yield;
  const accepted = input.ofSeveral ? new Set<number>() : offersAccepted(units, exchanges);
  const again = input.hasTopic ? NEVER : yield* saidAgain(input, rarity);
  outcomes(units, exchanges, { protectedUnits, taken });
  statedUnits(input, { protectedUnits, taken });
  units.forEach((unit, at) => {
    if (unit.kind === 'user') {
      // A choice in the agent's words is the user's anyway.
      if (protectedUnits.has(at) && !unit.cues.has('pasted')) unit.repeated = false;
      unit.quality += againQuality(again, at);
      return;
    }
    if (!OF_AGENT.has(unit.kind)) return;
    unit.quality += againQuality(again, at);
    if (protectedUnits.has(at)) return;
    const supposes = unit.kind === 'agent' && unit.cues.has('supposes') && !concluded.has(at);
    if (taken.has(at) || supposes) unit.gone = true;
    const least = COMPRESS_WEIGHTS[!input.ofSeveral && unit.text.includes('`') ? 'againOfCode' : 'again'];
    if (!accepted.has(at) && (again.later[at] ?? 0) > least) unit.repeated = true;
  });
}

const NEVER: Again = { later: new Float64Array(0), byUser: new Float64Array(0) };

function againQuality({ later, byUser }: Again, at: number): number {
  const { saidAgain: weight, saidAgainFrom, takenUp, takenUpFrom } = COMPRESS_WEIGHTS;
  return (
    weight * Math.max(0, (later[at] ?? 0) - saidAgainFrom) +
    takenUp * Math.max(0, (byUser[at] ?? 0) - takenUpFrom)
  );
}

type Found = { protectedUnits: Set<number>; taken: Set<number> };

/** By exchange, the places of its units. */
function exchangesOf({ units, exchangeOf }: Verdicts): number[][] {
  const found: number[][] = [];
  units.forEach(({ turn }, at) => {
    const exchange = exchangeOf(turn);
    const own = found[exchange] ?? [];
    found[exchange] = own;
    own.push(at);
  });
  return Array.from(found, (own) => own ?? []);
}

/** How much a word says: the rarer the more, names most. */
function rarityOf({ words, counts }: UnitWords, units: number): Float64Array {
  return Float64Array.from(
    words,
    (word, at) => Math.log(1 + units / Math.max(1, counts[at]!)) * (isCodeName(word) ? 1.5 : 1),
  );
}

/** What the next exchange withdraws: by an objection of the user, or by words that concede it. */
function overturnedBefore(
  { units, words }: Verdicts,
  exchanges: number[][],
  rarity: Float64Array,
  { protectedUnits, taken }: Found,
): void {
  const mass = words.terms.map((terms) => terms.reduce((sum, term) => sum + rarity[term]!, 0));
  for (let next = 1; next < exchanges.length; next++) {
    const own = exchanges[next]!;
    const user = own.filter((at) => units[at]!.kind === 'user').slice(0, 8);
    const agent = own.filter((at) => isTalk(units[at]!));
    const first = agent.filter((at) => units[at]!.turn === units[agent[0]!]!.turn).slice(0, 4);
    const concedes = first.length > 0 && units[first[0]!]!.cues.has('concedes');
    const weakly = concedes && units[first[0]!]!.cues.has('concedes-weakly');
    const objections = user.slice(0, 3).filter((at) => objects(units[at]!.text));
    if (concedes) {
      const objection = user.find((at) => objects(units[at]!.text)) ?? user[0];
      const concession = first.slice(0, 2);
      turning(units, concession, protectedUnits, !weakly);
      if (objection !== undefined) {
        turning(units, [objection], protectedUnits, true);
        tie(units, [objection, ...concession]);
      }
    }
    turning(units, objections, protectedUnits, true);
    const failure = user.slice(0, 3).find((at) => stillFails(units[at]!.text));
    if (failure !== undefined) claimsRefuted(units, exchanges[next - 1]!, units[failure]!.text, taken);
    if (!concedes && objections.length === 0) continue;
    const said = new Set(
      [...user.slice(0, 6), ...(concedes ? first : [])].flatMap((at) => [...words.terms[at]!]),
    );
    const least = COMPRESS_WEIGHTS[concedes ? (weakly ? 'concededWeakly' : 'conceded') : 'objected'];
    const by = units[objections[0] ?? user[0] ?? first[0]!]!.text;
    for (const at of exchanges[next - 1]!) {
      const unit = units[at]!;
      if (!OF_AGENT.has(unit.kind)) continue;
      let common = 0;
      for (const term of words.terms[at]!) if (said.has(term)) common += rarity[term]!;
      const share = common / Math.max(1e-9, mass[at]!);
      const isOffer = unit.kind === 'closing' && unit.cues.has('offers');
      if ((common > 0 && share >= least) || isOffer) {
        taken.add(at);
        unit.rejectedBy = quoted(by);
      }
    }
  }
}

/** The user says that it still fails: what was claimed to be found or done before was not it. */
function claimsRefuted(units: Unit[], before: number[], by: string, taken: Set<number>): void {
  for (const at of before) {
    const unit = units[at]!;
    if (!OF_AGENT.has(unit.kind) || !CLAIMS.some((cue) => unit.cues.has(cue))) continue;
    taken.add(at);
    unit.rejectedBy = quoted(by);
  }
}

function turning(units: Unit[], places: number[], protectedUnits: Set<number>, isStrong: boolean): void {
  for (const at of places) {
    if (protectedUnits.has(at)) continue;
    if (isStrong) protectedUnits.add(at);
    units[at]!.quality += COMPRESS_WEIGHTS.turning;
  }
}

/** All of them, or none. */
function tie(units: Unit[], places: number[]): void {
  for (const at of places)
    units[at]!.ties = [...new Set([...units[at]!.ties, ...places.filter((other) => other !== at)])];
}

/** Inside an exchange: guesses before the message in which the agent changed its mind. Returns what it concluded last. */
function guessesBefore(units: Unit[], exchanges: number[][], taken: Set<number>): Set<number> {
  const concluded = new Set<number>();
  for (const own of exchanges) {
    const talk = own.filter((at) => isTalk(units[at]!));
    const turn = talk.reduce((last, at) => {
      const { cues, turn: place } = units[at]!;
      return cues.has('turns') || cues.has('failed') ? Math.max(last, place) : last;
    }, -1);
    // A message that takes back the one before it may say in the same breath what it was.
    const last = talk.findLast((at) => units[at]!.cues.has('supposes') && units[at]!.turn >= turn);
    for (const at of talk) {
      const unit = units[at]!;
      const guesses = unit.cues.has('supposes');
      if (unit.turn < turn && unit.kind === 'agent' && (guesses || unit.cues.has('finding'))) taken.add(at);
      if (guesses && last !== undefined && unit.turn === units[last]!.turn) concluded.add(at);
      else if (guesses) unit.quality += COMPRESS_WEIGHTS.guess;
    }
  }
  return concluded;
}

/** Proposals that the next message does not begin by accepting; a short yes keeps the question that it answers. */
function offersAnswered(units: Unit[], exchanges: number[][]): void {
  for (let next = 1; next < exchanges.length; next++) {
    const answer = exchanges[next]!.find((at) => units[at]!.kind === 'user');
    if (answer === undefined) continue;
    const isYes = agrees(units[answer]!.text);
    const closing = exchanges[next - 1]!.filter((at) => units[at]!.kind === 'closing');
    if (!isYes)
      for (const at of closing)
        if (units[at]!.cues.has('offers')) units[at]!.quality += COMPRESS_WEIGHTS.notTaken;
    const question = closing.findLast((at) => endsAsking(units[at]!.text));
    if (isYes && question !== undefined && units[answer]!.text.length < LONGEST_YES)
      units[answer]!.ties.push(question);
  }
}

/** What the user agreed to holds: later words carry it out rather than replace it. */
function offersAccepted(units: Unit[], exchanges: number[][]): Set<number> {
  const accepted = new Set<number>();
  for (let next = 1; next < exchanges.length; next++) {
    const answer = exchanges[next]!.find((at) => units[at]!.kind === 'user');
    if (answer === undefined || !agrees(units[answer]!.text)) continue;
    for (const at of exchanges[next - 1]!) if (units[at]!.kind === 'closing') accepted.add(at);
  }
  return accepted;
}

/** An ask keeps its outcome: the answer to a question, else the first line that says what was done. */
function outcomes(units: Unit[], exchanges: number[][], { protectedUnits, taken }: Found): void {
  const has = (at: number, cue: UnitCue) => units[at]!.cues.has(cue);
  for (const own of exchanges) {
    const asked = own.filter((at) => units[at]!.kind === 'user' && !has(at, 'pasted'));
    const closing = own.filter(
      (at) =>
        units[at]!.kind === 'closing' &&
        !has(at, 'heading') &&
        !has(at, 'narrates') &&
        units[at]!.text.length > SHORTEST_OUTCOME,
    );
    if (asked.length === 0 || closing.length === 0) continue;
    const question = asked.findLast((at) => endsAsking(units[at]!.text));
    const sound = closing.filter((at) => !taken.has(at));
    const done = question === undefined ? sound.find((at) => has(at, 'done')) : undefined;
    const outcome = done ?? sound[0];
    if (outcome === undefined) continue;
    const ask = units[question ?? asked.findLast((at) => !isImages(units[at]!.text)) ?? asked.at(-1)!]!;
    ask.ties.push(outcome);
    protectedUnits.add(outcome);
  }
}

/** Words of statements count more; words that a statement replaced are gone. */
function statedUnits({ units, stated }: Verdicts, { protectedUnits, taken }: Found): void {
  const byTurn = new Map<number, StatedWords[]>();
  for (const one of stated) byTurn.set(one.turn, [...(byTurn.get(one.turn) ?? []), one]);
  if (byTurn.size === 0) return;
  units.forEach((unit, at) => {
    const near = byTurn.get(unit.turn);
    if (!near || unit.total > 0) return;
    const text = squeezed(unit.text);
    const own = near.filter((one) => isSame(text, squeezed(one.text)));
    const isStated = own.some(({ as }) => as !== 'overturned');
    if (own.some(({ as }) => as === 'shown')) unit.quality += COMPRESS_WEIGHTS.stated;
    else if (isStated) unit.quality += COMPRESS_WEIGHTS.candidate;
    if (isStated) protectedUnits.add(at);
    const open = own.find((one) => one.open !== undefined)?.open;
    if (open) unit.quality += COMPRESS_WEIGHTS[open === 'now' ? 'openNow' : 'openBefore'];
    const overturned = own.find(({ as }) => as === 'overturned');
    if (isStated || !overturned) return;
    if (overturned.isLater) unit.gone = true;
    else if (!OF_AGENT.has(unit.kind)) return;
    taken.add(at);
    protectedUnits.delete(at);
    if (overturned.by !== undefined) unit.rejectedBy = quoted(overturned.by);
  });
}

const LEAST_SAME = 12;

function isSame(unit: string, words: string): boolean {
  const [short, long] = unit.length < words.length ? [unit, words] : [words, unit];
  return short.length >= LEAST_SAME && long.includes(short);
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_QUOTE) return line;
  const space = line.lastIndexOf(' ', LONGEST_QUOTE);
  return `${line.slice(0, space > 0 ? space : LONGEST_QUOTE)} …`;
}

const isTalk = ({ kind }: Unit): boolean => kind === 'agent' || kind === 'closing';
