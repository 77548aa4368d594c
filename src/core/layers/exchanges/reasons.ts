import { cutAtWord, sentencesOf } from '../../text/sentences.ts';

const LOOKED_AT = 4000;
const LONGEST = 220;
/** Says what is wrong. */
const FAULT =
  /\b(?:the (?:issue|problem|error|cause|reason|failure)\b.*\b(?:is|was)|missing|wrong|unused|expects?|expected|wasn't|isn't|aren't|doesn't|don't|didn't|was not|does not|not (?:set|found|defined|checked)|needs? to|must|old)\b/i;
/** Says why, or what was done instead. */
const CAUSE = /\b(?:because|since|instead of|rather than|should (?:be|have|use)|so that)\b/i;
/** Openings of a sentence that only announce its content. */
const ANNOUNCES =
  /^(?:(?:ok(?:ay)?|great|good|perfect|right|ah|now|so|but|and|actually|also|hmm)[,.!]? |i (?:can )?see(?: the (?:issue|problem))?(?: now)?(?: - |: |, |\. )|let me |let's |i(?:'ll| will| (?:do )?need to| have to| should| must)? (?=[a-z]+ )|(?:we )?need to )+/i;
/** The next step, or what is only so in this session: no way out of anything. */
const STEP =
  /^(?:(?:do )?(?:re-?)?(?:run|check|verify|see|look|test|commit|continue|view|read|try|put)\b|fix (?:this|that|it|them|(?:the )?(?:lint|tests?|test files?|errors?|issues?))\b(?! .*\b(?:to|by|instead of)\b)|they |it |this |these |that )|\bmy\b|\beither[.:]$/i;
/** What was done, or what the agent makes of it: only a known error shows whether it belongs here. */
const DONE = /^(?:`[^`]+` [-–—:] )?(?:added|removed|updated|fixed|renamed|created|moved)\b|\bI\b/i;
const NAMES = /`[^`]+`|\b\w+(?:_\w+)+\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b\w+\.[a-z]\w{0,3}\b/;

/**
 * The sentence that says why something failed or what made it pass, if one does: the latest, since that one led to the pass.
 * Where nothing is known of the error the sentence has to say what was wrong.
 */
export function reasonIn(messages: string[], error: string): string | undefined {
  const sentences = messages.flatMap((text) => sentencesOf(text.slice(0, LOOKED_AT)));
  for (const sentence of sentences.reverse()) {
    const text = sentence.replace(ANNOUNCES, '').replace(/[:：]$/, '.');
    if (text.length < 20 || STEP.test(text) || /[?？]$/.test(text)) continue;
    if (
      error === '' ? !FAULT.test(sentence) || DONE.test(text) : !FAULT.test(sentence) && !CAUSE.test(sentence)
    )
      continue;
    if (NAMES.test(text) || /\binstead of\b/i.test(text) || namesOf(error, text).length > 0)
      return cutAtWord(text[0]!.toUpperCase() + text.slice(1), LONGEST);
  }
  return undefined;
}

/** Whether a sentence speaks of the things that the error names; one word alone may be anywhere. */
export function isAbout(sentence: string, error: string): boolean {
  return namesOf(error, sentence).length >= 2;
}

function namesOf(error: string, sentence: string): string[] {
  const words = sentence.toLowerCase();
  const names = new Set(
    withoutFile(error)
      .toLowerCase()
      .match(/[a-z_]\w{4,}/g),
  );
  return [...names].filter((name) => !EVERYDAY.test(name) && words.includes(name));
}

/** An error without its place, and without the marks that replaced its numbers. */
export function readableError(error: string): string {
  const text = error
    .replace(/\(#\w*\)|\bG#:|(?<=\.\w{1,4}):#(?::#)*|^[#\s:]+/g, '')
    .replace(/(?:\s*:){2,}/g, ':')
    .replace(/#/g, 'N')
    .replace(/\s+/g, ' ')
    .trim();
  return new Set(withoutFile(text).match(/\p{L}{2,}/gu)).size < 3 ? '' : text;
}

function withoutFile(error: string): string {
  return error.replace(/^[\w./-]+\.\w{1,4}(?::[#\d]*)*/, '');
}

const EVERYDAY =
  /^(?:error|errors|failed|fails|expected|value|returned?|found|cannot|could|would|should|string|using|tests?|internal|entire|package|packages|function|method|variable|argument|arguments|missing|undefined|integration|command|called|checked|output|unused|exists?|import|imports)$/i;
