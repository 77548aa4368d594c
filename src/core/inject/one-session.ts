import { EVIDENCE } from './evidence.ts';

/** How far the exchanges that may answer a question are of one session. */
export type SessionAgreement = {
  /** Of the chance that any sentence answers, what those of the session have: from 0 to 1. */
  share: number;
  /** Its best exchange beside the best of all other sessions; infinite where no other fits at all. */
  ahead: number;
};

/** An exchange, its session, and how well it fits by its words. */
type InSession = { session: number; score: number };

/** Of the session of the first. `looked`: exchanges whose sentences were read, best first; `ranked`: all that fit, best first. */
export function sessionAgreement(
  looked: readonly (InSession & { chance: number })[],
  ranked: Iterable<InSession>,
): SessionAgreement {
  const [first] = looked;
  if (!first) return { share: 0, ahead: 0 };
  const isSame = ({ session }: InSession) => session === first.session;
  const share = looked.reduce((sum, one) => sum + (isSame(one) ? one.chance : 0), 0);
  for (const one of ranked) if (!isSame(one)) return { share, ahead: first.score / one.score };
  return { share, ahead: Number.POSITIVE_INFINITY };
}

/**
 * Whether a question is about one session. Shared words cannot separate the right exchange from others; several kinds of search
 * that agree on one session, with no other close, can.
 */
export function isOneSession({ share, ahead }: SessionAgreement): boolean {
  const { byShare, byAhead, mostAhead, least } = EVIDENCE.oneSession;
  return byShare * Math.log(share) + byAhead * Math.min(mostAhead, ahead) >= least;
}
