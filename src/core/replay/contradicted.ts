import { shortHash } from '../model/ids.ts';
import { sameWords, shared } from '../text/plain-text.ts';
import { aboutWords } from './about-words.ts';
import { type CaseRules, type CaseSession, excerpt, injectionsBy, knownBy, placed } from './case-session.ts';
import type { ReplayCase, ReplayedInjection } from './replay-case.ts';

type Words = { of: CaseSession; text: string; exchange: string; src: number; ts: string };

/** Statements that a later session withdrew, by id, with the words that did. */
export type OverturnedById = ReadonlyMap<string, string>;

/** Shorter words may be anywhere. */
const LEAST_WORDS = 5;
/** Within this many characters of the withdrawn text, half of the verdict's words must occur. */
const NEAR = 350;
/** Letters by which two forms of a word are one. */
const STEM = 5;

/**
 * What would have been said to a session although it was withdrawn: before, without the verdict beside it, or by the user
 * afterwards, there or in a later session. Each pair of words once, at the first session that would have got it.
 */
export function contradictedInjections(
  all: readonly CaseSession[],
  takenBack: OverturnedById,
  { negates }: Pick<CaseRules, 'negates'>,
): ReplayCase[] {
  const cases = new Map<string, ReplayCase>();
  const orders = all.flatMap((of) =>
    of.moments.instructions.map((wish): Words & { known: string } => ({
      of,
      ...wish,
      known: knownBy(wish.text),
    })),
  );
  const overturned = overturnedIn(all, takenBack);
  const add = (
    at: { session: CaseSession; injection: ReplayedInjection },
    { before, again, title }: Found,
  ) => {
    const key = `${before.of.session} ${before.src} ${again.of.session} ${again.src}`;
    const known = cases.get(key);
    const { project, session } = at.session;
    const { on, ts } = at.injection;
    if (known) known.value++;
    else
      cases.set(key, {
        id: `rc_${shortHash(`contradicted ${key}`, 10)}`,
        kind: 'contradicted',
        title,
        before: placed(before.of, before, before.text),
        again: placed(again.of, again, again.text),
        said: { on, text: excerpt(at.injection, before.text), to: { project, session, ts } },
        value: 3,
      });
  };
  for (const session of all) {
    if (!session.injections || session.injections.length === 0) continue;
    const injected = injectionsBy(session);
    const isEarlier = ({ of }: { of: CaseSession }) => of.last < session.first;
    for (const before of orders) {
      const injection = isEarlier(before) ? injected(Number.POSITIVE_INFINITY, before.known) : undefined;
      const again =
        injection &&
        orders.find((it) => !isEarlier(it) && it.ts > injection.ts && negates(before.text, it.text));
      if (again) add({ session, injection }, { before, again, title: titleOf(true) });
    }
    for (const { before, again } of overturned) {
      const injection = isEarlier(before) ? saidWithout(injected, before.text, again.text) : undefined;
      if (!injection) continue;
      const isLater = again.of !== before.of && again.ts > injection.ts;
      add({ session, injection }, { before, again, title: titleOf(isLater) });
    }
  }
  return [...cases.values()];
}

type Pair = { before: Words; again: Words };
type Found = Pair & { title: string };

/** Statements that were withdrawn, by a later session or in their own, in the order in which they were stated. */
function overturnedIn(all: readonly CaseSession[], takenBack: OverturnedById): Pair[] {
  const stated = all.flatMap((of) => of.stated.map((it) => ({ ...it, of })));
  return stated.flatMap((before): Pair[] => {
    const by = takenBack.get(before.id);
    const again =
      by === undefined
        ? undefined
        : stated.find((it) => it.ts > before.ts && (it.own === by || it.text === by));
    const text = before.own || before.text;
    const { of } = before;
    const own = before.takenBack
      .filter((it) => isAbout(it.by, it.was))
      .map((it) => ({
        before: { of, text: it.was, exchange: '', src: it.src, ts: it.ts },
        again: { of, text: it.by, exchange: '', src: it.bySrc, ts: it.byTs },
      }));
    return again ? [{ before: { ...before, text }, again: { ...again, text: by! } }, ...own] : own;
  });
}

/** One "You're right" may take back several sentences: those that it speaks of are sure. */
function isAbout(verdict: string, words: string): boolean {
  const stems = (text: string) => new Set([...aboutWords(text)].map((word) => word.slice(0, STEM)));
  return shared(stems(verdict), stems(words)) >= 2;
}

function titleOf(isLater: boolean): string {
  return isLater
    ? 'Memory would have shown something that you later contradicted.'
    : 'Memory would have shown something already withdrawn, without saying so.';
}

/** The injection that has these words and not the words that took them back beside them. */
function saidWithout(
  injected: ReturnType<typeof injectionsBy>,
  words: string,
  verdict: string,
): ReplayedInjection | undefined {
  const wanted = sameWords(words);
  if (wanted.split(' ').length < LEAST_WORDS) return undefined;
  const injection = injected(Number.POSITIVE_INFINITY, knownBy(words));
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
