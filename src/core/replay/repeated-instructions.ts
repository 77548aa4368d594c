import { shortHash } from '../model/ids.ts';
import { type CaseRules, type CaseSession, excerpt, injectionsBy, knownBy, placed } from './case-session.ts';
import type { ReplayCase } from './replay-case.ts';

/** Instructions that the user gave again, with the earlier place that memory would have said them from, if it would have. */
export function repeatedInstructions(
  session: CaseSession,
  known: readonly CaseSession[],
  { isSameWish }: Pick<CaseRules, 'isSameWish'>,
): ReplayCase[] {
  const cases: ReplayCase[] = [];
  const earlier = known.flatMap((of) => of.moments.instructions.map((wish) => ({ of, wish })));
  const seen: string[] = [];
  const injected = injectionsBy(session);
  for (const wish of session.moments.instructions) {
    if (seen.some((text) => isSameWish(text, wish.text))) continue;
    const same = earlier.filter((it) => isSameWish(it.wish.text, wish.text));
    // A prompt that is sent again as a whole is a template.
    if (same.length === 0 || same.some((it) => it.wish.message === wish.message)) continue;
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
          ? 'You repeated an instruction from an earlier session.'
          : `You repeated an instruction from ${times} earlier sessions.`,
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
