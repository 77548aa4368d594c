import { straight } from '../../text/straight.ts';
import { tieOf, topicOf } from '../read/topic.ts';

/** A commit or a note says that something is mended. */
const MENDS = /\b(?:fix(?:e[sd])?|bug|solves?|resolves?|prevents?)\b/i;
const STILL =
  /\b(?:still(?! (?:working|good|fine|ok)\b)|same (?:issue|problem|error|result)|(?:does|do|did|is)n't (?:work|help|fix|show|solve|change)\w*|not (?:working|fixed|solved|changed)|nothing (?:changed|happen\w*)|unchanged|no (?:luck|changes?|difference|improvement|effect))\b/i;
const SENTENCE = /(?<=[.!?])["')\]]*\s+|\n+/;
/** A complaint of so few words has no subject. */
const FEW = 4;
const TIED = 2;

/** Whether the user's next words report what a text says to be mended as it was before. */
export function isStillBroken(text: string, heard: string): boolean {
  if (!MENDS.test(text)) return false;
  const topic = topicOf(text);
  return straight(heard)
    .split(SENTENCE)
    .some((sentence) => {
      if (!STILL.test(sentence)) return false;
      const about = topicOf(sentence);
      return about.size <= FEW || tieOf(about, topic) >= TIED;
    });
}
