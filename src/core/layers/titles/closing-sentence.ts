import { sentencesOf } from '../../text/sentences.ts';
import { isPasted, worthOf } from './ask-fragment.ts';

/** Characters of a closing message that are looked at. */
export const LONGEST_CLOSING = 1200;
const DONE =
  /\b(?:fixed|added|updated|implemented|changed|removed|created|moved|renamed|replaced|refactored|resolved|committed|pushed|merged|opened|restored|extracted|introduced|split|wrote|deleted|improved|corrected|reverted|rebased|released|deployed|installed|migrated|addressed|now (?:works?|pass(?:es)?|uses?|shows?|returns?|handles?|supports?)|no longer)\b|behoben|entfernt|erstellt|hinzugefügt|しました|修正|追加|已|완료|했습니다/i;
/** Talk about the talk: announcements, praise, offers. */
const NARRATION =
  /^(?:let me|let's|i'll|i will|i'm (?:going|now|checking|using|looking)|i can see|i see|i need to|now,? (?:let|i)|would you|want me|should i|do you|shall i|if you|let me know|great|perfect|excellent|good|sure|okay|absolutely|certainly|here(?:'s| is| are)|looking at|first,|next,|you're (?:absolutely )?right|based on|all tests pass|tests? pass|lint|done|summary|what i|changes made|key changes|thank|of course|yes|no)\b/i;
const SELF =
  /^(?:(?:i|we)(?:'ve| have)?(?: (?:also|now|just|successfully))* (?=[a-z]+(?:ed|t|de|ote|ilt|un|nt)\b))/i;

/** What the agent says in its closing message that it did or found, in one sentence; empty when it says nothing. */
export function closingSentence(text: string): string {
  const said = sentencesOf(text.slice(0, LONGEST_CLOSING)).filter(
    (sentence) => !/[?？:：]["')\]]*$/.test(sentence) && !isPasted(sentence) && worthOf(sentence) > 0,
  );
  const plain = said.filter((sentence) => !NARRATION.test(sentence));
  const best = plain.find((sentence) => DONE.test(sentence)) ?? plain[0];
  return best === undefined ? '' : best.replace(SELF, '').replace(/[\s.]+$/, '');
}
