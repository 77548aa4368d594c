/** What a question asks for. */
export type AskedFor = { reason: boolean; number: boolean; name: boolean; decision: boolean };

const REASON = /\b(?:why|reasons?|cause[sd]?|how come)\b/i;
const NUMBER =
  /\bhow (?:many|much|often|long|large|big|far|old)\b|\b(?:what|which) (?:number|version|size|limit|port|percentage|budget|threshold)\b/i;
const NAME =
  /\b(?:where|how)\b|^\W*(?:which|what)\b|,\s+(?:which|what)\b|\b(?:which|what) (?:file|folder|directory|path|branch|host|server|url|repo)/i;
const DECISION =
  /\b(?:should|must|supposed|allowed|may|decid\w*|chosen?|choose|instead|prefer\w*|agreed?|settled?|reject\w*|dropped)\b/i;

export function askedFor(question: string): AskedFor {
  return {
    reason: REASON.test(question),
    number: NUMBER.test(question),
    name: NAME.test(question),
    decision: DECISION.test(question),
  };
}

const GIVES_REASON =
  /\b(?:because|since|so that|root cause|reason|due to|caused? by|that['’]?s why|the (?:bug|problem|issue|culprit|cause) (?:is|was)|otherwise|which means|turns out|in order to)\b/i;
const DECIDES =
  /\b(?:instead|rather than|decid\w*|let['’]?s|go with|prefer|keep|drop|remove|don['’]?t|do not|only|never|always|should|must|no need|option|use)\b/i;
const NAMES = /`[^`]+`|[\w-]+\/[\w./-]+|\b\w+\.\w{1,4}\b|\b[a-z]+[A-Z]\w+|\w_\w|--[a-z]/;

export function givesReason(text: string): boolean {
  return GIVES_REASON.test(text);
}

export function holdsDecision(text: string): boolean {
  return DECIDES.test(text);
}

/** Code, a path, an option. */
export function namesThings(text: string): boolean {
  return NAMES.test(text);
}
