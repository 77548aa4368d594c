import { shortHash } from '../model/ids.ts';
import { shared } from '../text/plain-text.ts';
import { aboutWords } from './about-words.ts';
import { type CaseSession, placed } from './case-session.ts';
import type { PromptMoment } from './moment.ts';
import type { ReplayCase, ReplayedInjection } from './replay-case.ts';

/** The share of a text's own words that come up next if it is relevant. */
const ECHO = 0.15;
/** Words that two asks on one subject have in common. */
const SUBJECT = 3;

/** Texts of which hardly a word came up afterwards, no file opened, no name written; starts of which the session touched no line. */
export function offPoint(session: CaseSession, known: readonly CaseSession[]): ReplayCase[] {
  return (session.injections ?? []).flatMap((injection) => {
    const kind = injectionKind(injection);
    const prompt = promptOf(session, injection);
    const source = kind && injectionSource(injection, known);
    if (!kind || !prompt || !source) return [];
    const isOff =
      kind === 'start'
        ? (injection.startLines?.touched ?? 0) === 0
        : !isOnPoint(injection, prompt.text, source.at.text);
    return isOff ? [offCase(kind, { session, injection, prompt, source })] : [];
  });
}

export type InjectionKind = 'start' | 'passage' | 'offer';

/** Rules alone, beside a prompt, are none of them. */
export function injectionKind({ on, offer, sources }: ReplayedInjection): InjectionKind | undefined {
  if (on === 'start') return 'start';
  if (offer) return 'offer';
  return sources.some((it) => it.exchange) ? 'passage' : undefined;
}

const WHAT: Record<InjectionKind, string> = {
  start: 'Memory would have shown lines at the start that the session never used.',
  passage: 'Memory would have quoted a passage that the answer did not use.',
  offer: 'Memory would have offered a passage that the answer did not use.',
};

type OffPoint = {
  session: CaseSession;
  injection: ReplayedInjection;
  prompt: PromptMoment;
  source: { of: CaseSession; at: PromptMoment };
};

function offCase(kind: InjectionKind, { session, injection, prompt, source }: OffPoint): ReplayCase {
  const { on, ts, text, tokens } = injection;
  return {
    id: `rc_${shortHash(`off-point ${session.session} ${injection.src}${kind === 'passage' ? '' : ` ${kind}`}`, 10)}`,
    kind: 'off-point',
    title: WHAT[kind],
    before: placed(source.of, source.at, source.at.text.slice(0, 600)),
    again: placed(session, prompt, prompt.text.slice(0, 600)),
    said: {
      on,
      text: (kind === 'offer' ? text : quotedIn(injection)).slice(0, 1500),
      to: { project: session.project, session: session.session, ts },
      ...(kind === 'offer' ? { offer: true as const } : {}),
    },
    value: 1 + tokens / 1000,
  };
}

/** The prompt that it is shown with; for a start, the first prompt. */
function promptOf({ moments }: CaseSession, { on, src }: ReplayedInjection): PromptMoment | undefined {
  return on === 'start' ? moments.prompts[0] : moments.prompts.find((it) => it.src === src);
}

/** Passages of earlier sessions, not rules alone and not offers. */
export function passagesOf({ injections = [] }: CaseSession): ReplayedInjection[] {
  return injections.filter((it) => injectionKind(it) === 'passage');
}

/** Something of it came up afterwards, or it is from an ask on the same subject. */
function isOnPoint({ used, echo }: ReplayedInjection, prompt: string, ask: string): boolean {
  return used.length > 0 || echo >= ECHO || isOneSubject(prompt, ask);
}

export function isOneSubject(prompt: string, ask: string): boolean {
  return shared(aboutWords(prompt), aboutWords(ask)) >= SUBJECT;
}

/** The exchange that a text is from, or its session where it is not of one exchange. */
export function injectionSource(
  { sources }: ReplayedInjection,
  known: readonly CaseSession[],
): { of: CaseSession; at: PromptMoment } | undefined {
  for (const { session, exchange } of sources) {
    const of = known.find((it) => it.session === session);
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
