import { shortHash } from '../model/ids.ts';
import { shared } from '../text/plain-text.ts';
import { aboutWords } from './about-words.ts';
import { type CaseRules, type CaseSession, excerpt, injectedBefore, placed } from './case-session.ts';
import { injectionSource, isOneSubject, passagesOf, quotedIn } from './off-point.ts';
import type { ReplayCase } from './replay-case.ts';

/** Words that two questions on the same have in common, and their share of all words of both. */
const LEAST_WORDS = 4;
const ALIKE = 0.5;
/** A question was covered before if the answer has this much of the passage, or the earlier request has the same subject. */
const ANSWERED = 0.25;

/** What had been settled in an earlier session and was asked again: by the agent, or by the user. */
export function askedAgain(
  session: CaseSession,
  known: readonly CaseSession[],
  { isQuestion }: Pick<CaseRules, 'isQuestion'>,
): ReplayCase[] {
  return [...byAgent(session, known), ...byUser(session, known, isQuestion)];
}

/** Questions of the agent's that the user had answered before. */
function byAgent(session: CaseSession, known: readonly CaseSession[]): ReplayCase[] {
  const earlier = known.flatMap((of) =>
    of.moments.answers.map((answer) => ({ of, answer, words: aboutWords(answer.question) })),
  );
  return session.moments.answers.flatMap((answer) => {
    const words = aboutWords(answer.question);
    const found = earlier.find(({ words: before }) => {
      const common = shared(before, words);
      return common >= LEAST_WORDS && common / (before.size + words.size - common) >= ALIKE;
    });
    if (!found) return [];
    const injection = injectedBefore(session, answer.src, found.answer.answer);
    return [
      {
        id: `rc_${shortHash(`decision ${session.session} ${answer.src}`, 10)}`,
        kind: 'decision' as const,
        title: 'The agent asked a question that you had already answered.',
        before: placed(found.of, found.answer, `${found.answer.question}\n→ ${found.answer.answer}`),
        again: placed(session, answer, `${answer.question}\n→ ${answer.answer}`),
        ...(injection ? { said: { on: injection.on, text: excerpt(injection, found.answer.answer) } } : {}),
        value: 3,
      },
    ];
  });
}

/** Questions of the user's beside which memory would have quoted an earlier exchange, with words that the answer then had. */
function byUser(
  session: CaseSession,
  known: readonly CaseSession[],
  isQuestion: CaseRules['isQuestion'],
): ReplayCase[] {
  return passagesOf(session).flatMap((injection) => {
    const prompt = session.moments.prompts.find(({ src }) => src === injection.src);
    const source = injectionSource(injection, known);
    if (!prompt || !source || !isQuestion(prompt.text)) return [];
    if (injection.echo < ANSWERED && !isOneSubject(prompt.text, source.at.text)) return [];
    return [
      {
        id: `rc_${shortHash(`asked ${session.session} ${injection.src}`, 10)}`,
        kind: 'decision' as const,
        title: 'You asked about something that an earlier session had covered.',
        before: placed(source.of, source.at, source.at.text.slice(0, 600)),
        again: placed(session, prompt, prompt.text.slice(0, 600)),
        said: { on: injection.on, text: quotedIn(injection).slice(0, 1500) },
        value: 2 + injection.echo,
      },
    ];
  });
}
