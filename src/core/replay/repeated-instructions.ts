import { shortHash } from '../model/ids.ts';
import { sameWords } from '../text/plain-text.ts';
import { sentencesOf } from '../text/sentences.ts';
import { type CaseRules, type CaseSession, excerpt, injectionsBy, knownBy, placed } from './case-session.ts';
import type { ReplayCase } from './replay-case.ts';
import type { WishMoment } from './session-moments.ts';

/** How to work, not what to do now: only such a sentence is an instruction that memory could repeat. */
const MANNER =
  /\b(?:don'?t|do not|never|always|make sure|ensure|remember|avoid|prefer|no need|feel free|keep in mind|be careful|ask me|refer to|stick to|from now on|in the future|instead of|rather than|must not|should not|shouldn'?t|nicht|niemals|immer|bitte kein\w*)\b|不要|总是|务必|请勿/i;
/** A report, a question or what a program printed. */
const NO_ORDER =
  /[?？]\s*$|^\W*(?:i|i'm|i've|we|it|this|that|there|they|he|she|seems?|looks?|error|warning|why|what|how)\b(?! (?:want|need|would like|prefer|don'?t want)\b)|^[^\p{L}]*[$✗❯➜>#|]|\b(?:don'?t|do not) (?:know|think|see|understand|remember)\b/iu;
const LONGEST_MESSAGE = 2500;
const LONGEST_SENTENCE = 300;

/** The user's instructions of how to work, each once a message. */
export function instructionsOf({ moments }: CaseSession): WishMoment[] {
  const found = new Map<string, WishMoment>();
  const add = (wish: WishMoment) => {
    const key = `${wish.src} ${sameWords(wish.text)}`;
    if (!found.has(key)) found.set(key, wish);
  };
  for (const { text, ...at } of moments.prompts) {
    if (text.length > LONGEST_MESSAGE) continue;
    const message = sameWords(text).slice(0, 200);
    for (const sentence of sentencesOf(text))
      if (sentence.length <= LONGEST_SENTENCE && MANNER.test(sentence) && !NO_ORDER.test(sentence))
        add({ ...at, text: sentence, kind: 'instruction', message });
  }
  for (const wish of moments.wishes) if (!NO_ORDER.test(wish.text)) add(wish);
  return [...found.values()].sort((a, b) => a.src - b.src);
}

/** Instructions that the user gave again, with the earlier place that memory would have said them from, if it would have. */
export function repeatedInstructions(
  session: CaseSession,
  known: readonly CaseSession[],
  { isSameWish }: Pick<CaseRules, 'isSameWish'>,
): ReplayCase[] {
  const cases: ReplayCase[] = [];
  const earlier = known.flatMap((of) => instructionsOf(of).map((wish) => ({ of, wish })));
  const messages = new Set(known.flatMap(({ moments }) => moments.prompts.map(({ text }) => start(text))));
  const seen: string[] = [];
  const injected = injectionsBy(session);
  for (const wish of instructionsOf(session)) {
    // A prompt that is sent again as a whole is a template.
    if (messages.has(wish.message) || seen.some((text) => isSameWish(text, wish.text))) continue;
    const same = earlier.filter((it) => isSameWish(it.wish.text, wish.text));
    if (same.length === 0) continue;
    seen.push(wish.text);
    const quoted = same
      .map((it) => ({ ...it, injection: injected(wish.src, knownBy(it.wish.text)) }))
      .find(({ injection }) => injection !== undefined);
    const { of, wish: before } = quoted ?? same[0]!;
    const times = new Set(same.map((it) => it.of.session)).size;
    cases.push({
      id: `rc_${shortHash(`instruction ${session.session} ${wish.src} ${wish.text}`, 10)}`,
      kind: 'instruction',
      title:
        times === 1
          ? 'You gave an instruction again that an earlier session had.'
          : `You gave an instruction again that ${times} earlier sessions had.`,
      before: placed(of, before, before.text),
      again: placed(session, wish, wish.text),
      ...(quoted?.injection
        ? { said: { on: quoted.injection.on, text: excerpt(quoted.injection, before.text) } }
        : {}),
      value: 2 + times,
    });
  }
  return cases;
}

function start(text: string): string {
  return sameWords(text).slice(0, 200);
}
