/** What the agent is about to do: it says nothing that lasts. */
const INTENT =
  /^(?:(?:ok(?:ay)?|great|good|perfect|excellent|now|next|right|alright|yes|i see|hmm|wait|actually|first|then|so|and|also|sure|got it)[,.!:—-]*\s+)*(?:let me|let's|let us|i['’]ll|i will|i['’]m going to|i am going to|i need to|i should|now i|i want to|i can now)\b/i;
/** How something ended, and why. */
const OUTCOME =
  /\b(?:root cause|the (?:bug|fix|problem|issue|reason|cause|culprit|answer) (?:is|was|were)|found (?:it|the)|turns out|because|fixed|instead of|should not|must not|never|not supported|doesn['’]t (?:support|provide|work)|does not|only|default|decided|limit|so that|works? now|done)\b/i;
/** `- [x] Fix the build`. */
const TASK = /^(?:[-*+]|\d+[.)])?\s*\[[ xX-]\]\s/;
const LEAD = /^[\s*#>•-]+/;

export function isIntent(text: string): boolean {
  return INTENT.test(text.replace(LEAD, ''));
}

export function isOutcome(text: string): boolean {
  return OUTCOME.test(text);
}

export function isTask(text: string): boolean {
  return TASK.test(text);
}
