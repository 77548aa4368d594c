import { shortHash } from '../model/ids.ts';
import { shared } from '../text/plain-text.ts';
import { aboutWords } from './about-words.ts';
import { type CaseSession, placed } from './case-session.ts';
import type { ReplayCase, ReplayedInjection } from './replay-case.ts';
import type { PromptMoment } from './session-moments.ts';

/** Of a passage's own words, so many come up next when it is on the point. */
const ECHO = 0.15;
/** Words that two asks on one subject have in common. */
const SUBJECT = 3;

/** Passages beside prompts of which hardly a word came up afterwards: no file opened, no name written. */
export function offPoint(session: CaseSession, known: readonly CaseSession[]): ReplayCase[] {
  return passagesOf(session).flatMap((injection) => {
    const prompt = session.moments.prompts.find(({ src }) => src === injection.src);
    const source = passageSource(injection, known);
    if (!prompt || !source || isOnPoint(injection, prompt.text, source.at.text)) return [];
    const quoted = quotedIn(injection);
    return [
      {
        id: `rc_${shortHash(`off-point ${session.session} ${injection.src}`, 10)}`,
        kind: 'off-point' as const,
        title: 'Memory would have quoted something of which hardly a word came up afterwards.',
        before: placed(source.of, source.at, source.at.text.slice(0, 600)),
        again: placed(session, prompt, prompt.text.slice(0, 600)),
        said: {
          on: injection.on,
          text: quoted.slice(0, 1500),
          to: { project: session.project, session: session.session, ts: injection.ts },
        },
        value: 1 + aboutWords(quoted).size / 100,
      },
    ];
  });
}

/** Passages of earlier sessions, not rules alone and not offers. */
export function passagesOf({ injections = [] }: CaseSession): ReplayedInjection[] {
  return injections.filter(
    ({ on, offer, sources }) => on === 'prompt' && !offer && sources.some((it) => it.exchange),
  );
}

/** Something of it came up afterwards, or it is from an ask on the same subject. */
export function isOnPoint({ used, echo }: ReplayedInjection, prompt: string, ask: string): boolean {
  return used.length > 0 || echo >= ECHO || isOneSubject(prompt, ask);
}

export function isOneSubject(prompt: string, ask: string): boolean {
  return shared(aboutWords(prompt), aboutWords(ask)) >= SUBJECT;
}

/** The exchange that a passage is from. */
export function passageSource(
  { sources }: ReplayedInjection,
  known: readonly CaseSession[],
): { of: CaseSession; at: PromptMoment } | undefined {
  for (const { session, exchange } of sources) {
    const of = exchange === undefined ? undefined : known.find((it) => it.session === session);
    const at = of?.moments.prompts.find((it) => it.exchange === exchange) ?? of?.moments.prompts[0];
    if (of && at) return { of, at: { ...at, exchange: exchange ?? at.exchange } };
  }
  return undefined;
}

export function quotedIn({ text }: ReplayedInjection): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .join('\n');
}
