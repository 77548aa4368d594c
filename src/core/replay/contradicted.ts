import { shortHash } from '../model/ids.ts';
import { sameWords, shared } from '../text/plain-text.ts';
import { aboutWords } from './about-words.ts';
import { type CaseRules, type CaseSession, excerpt, injectedBefore, placed } from './case-session.ts';
import { instructionsOf } from './repeated-instructions.ts';
import type { ReplayCase, ReplayedInjection } from './replay-case.ts';

type Words = { of: CaseSession; text: string; exchange: string; src: number; ts: string };

/** Statements that a later session took back, by id, with the words that did. */
export type OverturnedById = ReadonlyMap<string, string>;

/** Shorter words may be anywhere. */
const LEAST_WORDS = 5;
/** Words of a verdict of which half must be near what it took back. */
const NEAR = 350;
/** Letters by which two forms of a word are one. */
const STEM = 5;

/**
 * What would have been said to a session although it was taken back: before, without the verdict beside it, or by the user
 * afterwards, there or in a later session. Each pair of words once, at the first session that would have got it.
 */
export function contradictedInjections(
  all: readonly CaseSession[],
  takenBack: OverturnedById,
  { negates }: Pick<CaseRules, 'negates'>,
): ReplayCase[] {
  const cases = new Map<string, ReplayCase>();
  const orders = all.flatMap((of) => instructionsOf(of).map((wish): Words => ({ of, ...wish })));
  const stated = all.flatMap((of) => of.stated.map((it) => ({ ...it, of })));
  const add = (injection: ReplayedInjection, before: Words, again: Words, title: string) => {
    const key = `${before.of.session} ${before.src} ${again.of.session} ${again.src}`;
    const known = cases.get(key);
    if (known) known.value++;
    else
      cases.set(key, {
        id: `rc_${shortHash(`contradicted ${key}`, 10)}`,
        kind: 'contradicted',
        title,
        before: placed(before.of, before, before.text),
        again: placed(again.of, again, again.text),
        said: { on: injection.on, text: excerpt(injection, before.text) },
        value: 3,
      });
  };
  for (const session of all) {
    if (!session.injections || session.injections.length === 0) continue;
    const isEarlier = ({ of }: { of: CaseSession }) => of.last < session.first;
    for (const before of orders.filter(isEarlier)) {
      const injection = injectedBefore(session, Number.POSITIVE_INFINITY, before.text);
      const again =
        injection &&
        orders.find((it) => !isEarlier(it) && it.ts > injection.ts && negates(before.text, it.text));
      if (again) add(injection, before, again, 'Memory would have said what you contradicted later.');
    }
    for (const before of stated.filter(isEarlier)) {
      const by = takenBack.get(before.id);
      const again = stated.find((it) => it.ts > before.ts && (it.own === by || it.text === by));
      const text = before.own || before.text;
      const injection = by === undefined ? undefined : saidWithout(session, text, by);
      if (again && injection)
        add(injection, { ...before, text }, { ...again, text: by! }, titleOf(again.ts > injection.ts));
      for (const { was, src, by: words, bySrc } of before.takenBack) {
        const own = isAbout(words, was) ? saidWithout(session, was, words) : undefined;
        if (own)
          add(own, { ...before, text: was, src }, { ...before, text: words, src: bySrc }, titleOf(false));
      }
    }
  }
  return [...cases.values()];
}

/** One "You're right" may take back several sentences: those that it speaks of are sure. */
function isAbout(verdict: string, words: string): boolean {
  const stems = (text: string) => new Set([...aboutWords(text)].map((word) => word.slice(0, STEM)));
  return shared(stems(verdict), stems(words)) >= 2;
}

function titleOf(isLater: boolean): string {
  return isLater
    ? 'Memory would have said what you contradicted later.'
    : 'Memory would have said what had been taken back, without saying so.';
}

/** The injection that has these words and not the words that took them back beside them. */
function saidWithout(session: CaseSession, words: string, verdict: string): ReplayedInjection | undefined {
  const wanted = sameWords(words);
  if (wanted.split(' ').length < LEAST_WORDS) return undefined;
  const injection = injectedBefore(session, Number.POSITIVE_INFINITY, words);
  if (!injection) return undefined;
  const text = sameWords(injection.text);
  const at = text.indexOf(wanted.slice(0, 60));
  const near = new Set(text.slice(Math.max(0, at - NEAR), at + wanted.length + NEAR).split(' '));
  // Both speak of the same: only what the verdict adds shows that it is there.
  const own = new Set(wanted.split(' '));
  const against = [...new Set(sameWords(verdict).split(' '))].filter((it) => it.length > 2 && !own.has(it));
  const held = against.filter((word) => near.has(word)).length;
  return against.length > 0 && held >= against.length / 2 ? undefined : injection;
}
